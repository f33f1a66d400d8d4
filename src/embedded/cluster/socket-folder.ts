// A cluster's folder → whether its PostgreSQL can have a Unix socket there, which the server beside it uses: cheaper than
// TCP, and entered by the folder's owner only.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

/** What the systems hold at least, the ending zero not counted. */
const LONGEST_ADDRESS = 103;
const LONGEST_NAME = '/.s.PGSQL.65535';

/** @returns undefined where a connection string could not name it, or the file system takes none */
export async function findSocketFolder(clusterFolder: string): Promise<string | undefined> {
  const isUsable =
    process.platform !== 'win32' &&
    Buffer.byteLength(clusterFolder + LONGEST_NAME) <= LONGEST_ADDRESS &&
    !clusterFolder.includes(',') &&
    (await takesSockets(clusterFolder));
  return isUsable ? clusterFolder : undefined;
}

/** PostgreSQL would not start where it cannot make its socket. */
function takesSockets(folder: string): Promise<boolean> {
  const address = path.join(folder, '.s.probe');
  rmSync(address, { force: true });
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(address, () => server.close(() => resolve(true)));
  });
}
