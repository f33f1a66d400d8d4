// Stops listening without losing a connection: neither one in the accept queue nor, on a shared port, one whose handshake
// is in progress (`operating.md` §11.4).
import { Server } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { findSlot } from './port-slot.ts';
import { acquirePortLock } from './port-lock.ts';
import { dealAround, dealToOthers } from './reuseport-filter.ts';
import type { SharedSocket } from './shared-socket.ts';

/**
 * Resolves when the server has stopped listening; its connections stay open.
 * @param onDiverted called as soon as a new connection reaches another process, or none
 */
export type LeavePort = (server: Server, onDiverted: () => void) => Promise<void>;

/** Time for the TCP handshakes that clients have begun. */
const HANDSHAKE_WAIT_MS = 250;

/** Length of the accept queue that Node asks the system for. */
const QUEUE_SIZE = 511;

export const leaveAlone: LeavePort = async (server, onDiverted) => {
  shortenQueue(server);
  await acceptQueued(server);
  closeListener(server);
  onDiverted();
};

/** Connections in a socket's accept queue are lost when it closes, so new connections go to the other sockets first. */
export async function leaveOthers(server: Server, socket: SharedSocket, onDiverted: () => void): Promise<void> {
  const address = server.address();
  const releaseLock = await acquirePortLock(typeof address === 'object' ? (address?.port ?? 0) : 0);
  const place = await findSlot(server, socket);
  if (place === undefined) socket.deal(undefined);
  else {
    socket.deal(dealToOthers(place.slot, place.count));
    onDiverted();
    await setTimeout(HANDSHAKE_WAIT_MS);
    socket.deal(dealAround(place.slot, place.count));
  }
  await leaveAlone(server, onDiverted);
  releaseLock();
}

/** Node accepts one connection per iteration of the event loop: the queue is empty when an iteration accepts none. */
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
 * Lets the system queue no further connection while another one waits: its client retries and is refused then. Otherwise
 * a server at its limits would never empty its queue. Node has no public call for it; without it, some are reset.
 */
function shortenQueue(server: Server): void {
  const handle: unknown = Reflect.get(server, '_handle');
  if (process.platform === 'linux' && isListener(handle)) handle.listen(0);
}

function isListener(handle: unknown): handle is { listen(backlog: number): unknown } {
  return typeof handle === 'object' && handle !== null && 'listen' in handle && typeof handle.listen === 'function';
}

function closeListener(server: Server): void {
  // `close` of an HTTP server would also close connections whose responses are being sent.
  Server.prototype.close.call(server);
}
