// Processes that share a port come and go one at a time: each takes a turn, which is a name that only one can have.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two looks whether the one before has finished. */
const PAUSE = 10;
/** Milliseconds after which one goes ahead all the same: who has the turn may have been halted. */
const PATIENCE = 3000;

/** Resolves with what ends the turn. The system ends it as well, when the process is no more. */
export async function takeTurn(port: number): Promise<() => void> {
  const end = performance.now() + PATIENCE;
  do {
    // A name without a file, of the network that the port is of (Linux): nothing is left behind, whatever happens.
    const server = await bind(`\0rowhouse-port-${port}`);
    if (server !== undefined) return () => void server.close();
    await setTimeout(PAUSE);
  } while (performance.now() < end);
  return () => {};
}

async function bind(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(path);
  server.unref();
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}
