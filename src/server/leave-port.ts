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

export const leaveAlone: LeavePort = async (server, onDiverted) => {
  await takeWhatHasCome();
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

/** One turn of the event loop takes what waits, a second one what came while the first was at work. */
async function takeWhatHasCome(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

function closeListener(server: Server): void {
  // That of an HTTP server would also close connections whose answers are on their way.
  Server.prototype.close.call(server);
}
