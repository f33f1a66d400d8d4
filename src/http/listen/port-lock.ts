// Processes that share a port start and stop one at a time: each acquires a lock, a socket name that only one can bind.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Between two attempts to acquire the lock. */
const PAUSE_MS = 10;
/** Then the process goes ahead without the lock: its holder may have been suspended. */
const TIMEOUT_MS = 3000;

/** Resolves with the function that releases the lock. The system releases it as well when the process ends. */
export async function acquirePortLock(port: number): Promise<() => void> {
  const end = performance.now() + TIMEOUT_MS;
  do {
    // A name without a file, of the network that the port is of (Linux): nothing is left behind, whatever happens.
    const server = await bind(`\0rowhouse-port-${port}`);
    if (server !== undefined) return () => void server.close();
    await setTimeout(PAUSE_MS);
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
