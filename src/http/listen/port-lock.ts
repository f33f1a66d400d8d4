// Ensures that processes sharing a port start and stop one at a time. The lock is a socket name that only one process
// can bind.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Pause between two attempts to acquire the lock. */
const PAUSE_MS = 10;
/** After this time the process continues without the lock: its holder may be suspended. */
const TIMEOUT_MS = 3000;

/** Resolves with a function that releases the lock. The system releases it too when the process ends. */
export async function acquirePortLock(port: number): Promise<() => void> {
  const end = performance.now() + TIMEOUT_MS;
  do {
    // An abstract socket name (Linux), which leaves no file behind and belongs to the same network namespace as the
    // port.
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
