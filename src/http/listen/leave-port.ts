// Stops listening without losing a connection, neither in the accept queue nor, on a shared port, during its handshake
// (`operating.md` §11.4).
import { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { waitForHandshakes } from './handshakes.ts';
import { findSlot } from './port-slot.ts';
import { acquirePortLock } from './port-lock.ts';
import { avoidClosingSlot, avoidSlot } from './reuseport-filter.ts';
import type { SharedSocket } from './shared-socket.ts';

/**
 * Resolves when the server has stopped listening; its connections stay open.
 * @param onDiverted called as soon as new connections reach another process, or none
 */
export type LeavePort = (server: Server, onDiverted: () => void) => Promise<void>;

/** Length of the accept queue that Node requests. */
const QUEUE_SIZE = 511;

export const leaveExclusivePort: LeavePort = async (server, onDiverted) => {
  shortenQueue(server);
  await acceptQueued(server);
  // `close` of an HTTP server would also close connections whose responses are being sent.
  Server.prototype.close.call(server);
  onDiverted();
};

/**
 * Stops listening on a shared port. Closing a socket loses the connections in its accept queue, so new connections are
 * first diverted to the other sockets.
 */
export async function leaveSharedPort(server: Server, socket: SharedSocket, onDiverted: () => void): Promise<void> {
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const releaseLock = await acquirePortLock(port);
  const place = await findSlot(server, socket);
  if (place === undefined) socket.setFilter(undefined);
  else {
    socket.setFilter(avoidSlot(place.slot, place.count));
    onDiverted();
    await waitForHandshakes(port);
    socket.setFilter(avoidClosingSlot(place.slot, place.count));
  }
  await leaveExclusivePort(server, onDiverted);
  releaseLock();
}

/** Node accepts one connection per turn of the event loop, so the queue is empty when a turn accepts none. */
async function acceptQueued(server: Server): Promise<void> {
  let accepted = 0;
  const onConnection = (): unknown => accepted++;
  server.on('connection', onConnection);
  for (;;) {
    const before = accepted;
    await setImmediate();
    await setImmediate();
    if (accepted === before || accepted >= QUEUE_SIZE) break;
  }
  server.off('connection', onConnection);
}

/**
 * Shortens the accept queue to one connection; further clients retry and are then rejected. Otherwise a server at its
 * limits would never empty its queue. Uses an internal Node call; without it, some connections are reset.
 */
function shortenQueue(server: Server): void {
  const handle: unknown = Reflect.get(server, '_handle');
  if (process.platform === 'linux' && isListener(handle)) handle.listen(0);
}

function isListener(handle: unknown): handle is { listen(backlog: number): unknown } {
  return typeof handle === 'object' && handle !== null && 'listen' in handle && typeof handle.listen === 'function';
}
