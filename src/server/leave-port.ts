// How a server stops to listen so that no connection is lost: neither one that waits to be taken, nor, on a shared port,
// one that is just being made (`operations.md` §11.4).
import { Server } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { findSlot } from './port-slot.ts';
import { takeTurn } from './port-turn.ts';
import { dealAround, dealToOthers } from './reuseport-filter.ts';
import type { SharedSocket } from './shared-socket.ts';

/**
 * Resolves when the server listens no more; its connections stay.
 * @param onDiverted called as soon as a new connection reaches another process, or none
 */
export type LeavePort = (server: Server, onDiverted: () => void) => Promise<void>;

/** Milliseconds in which a connection that a client has begun to make is made. */
const HANDSHAKE_PATIENCE = 250;

/** Connections that wait to be taken, at most: what Node asks the system for. */
const QUEUE_SIZE = 511;

export const leaveAlone: LeavePort = async (server, onDiverted) => {
  shortenQueue(server);
  await takeWhatHasCome(server);
  closeListener(server);
  onDiverted();
};

/** What a socket has been promised and has not taken is lost when it closes, so the others get new connections first. */
export async function leaveOthers(server: Server, socket: SharedSocket, onDiverted: () => void): Promise<void> {
  const address = server.address();
  const endTurn = await takeTurn(typeof address === 'object' ? (address?.port ?? 0) : 0);
  const place = await findSlot(server, socket);
  if (place === undefined) socket.deal(undefined);
  else {
    socket.deal(dealToOthers(place.slot, place.count));
    onDiverted();
    await setTimeout(HANDSHAKE_PATIENCE);
    socket.deal(dealAround(place.slot, place.count));
  }
  await leaveAlone(server, onDiverted);
  endTurn();
}

/** Node takes one connection in a turn of the event loop: all that waited have been taken when a turn brings none. */
async function takeWhatHasCome(server: Server): Promise<void> {
  let taken = 0;
  const onConnection = (): unknown => taken++;
  server.on('connection', onConnection);
  for (;;) {
    const before = taken;
    await setImmediate();
    await setImmediate();
    if (taken === before || taken >= QUEUE_SIZE) break;
  }
  server.off('connection', onConnection);
}

/**
 * Has the system take no connection while another one waits: its client tries again, and is refused then. Else a server
 * at its limits would never see the end of its queue. Node has no public way to it; without it, some are reset.
 */
function shortenQueue(server: Server): void {
  const handle: unknown = Reflect.get(server, '_handle');
  if (process.platform === 'linux' && isListener(handle)) handle.listen(0);
}

function isListener(handle: unknown): handle is { listen(backlog: number): unknown } {
  return typeof handle === 'object' && handle !== null && 'listen' in handle && typeof handle.listen === 'function';
}

function closeListener(server: Server): void {
  // That of an HTTP server would also close connections whose answers are on their way.
  Server.prototype.close.call(server);
}
