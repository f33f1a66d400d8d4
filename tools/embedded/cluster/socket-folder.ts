// Checks whether PostgreSQL can create its Unix socket in the folder of its cluster. The server prefers it, because it
// is cheaper than TCP and accessible only to the owner of the folder.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

/** The shortest limit of all systems, without the terminating zero. */
const MAX_SOCKET_PATH_BYTES = 103;
const SOCKET_FILE_NAME = '/.s.PGSQL.65535';

/** @returns undefined if a connection string cannot contain the path, or the file system does not support sockets */
export async function findSocketFolder(clusterFolder: string): Promise<string | undefined> {
  const isUsable =
    process.platform !== 'win32' &&
    Buffer.byteLength(clusterFolder + SOCKET_FILE_NAME) <= MAX_SOCKET_PATH_BYTES &&
    !clusterFolder.includes(',') &&
    (await supportsSockets(clusterFolder));
  return isUsable ? clusterFolder : undefined;
}

/** PostgreSQL would not start if it could not create its socket. */
function supportsSockets(folder: string): Promise<boolean> {
  const address = path.join(folder, '.s.probe');
  rmSync(address, { force: true });
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(address, () => server.close(() => resolve(true)));
  });
}
