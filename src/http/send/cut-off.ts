// Ends the connection of an incomplete response so that the client notices that the rest is missing.
import type { Socket } from 'node:net';
import type { HttpExchange } from '../limits/pipeline-queue.ts';

const NOTHING = new Uint8Array();

/**
 * Sends everything that has been written, then closes the connection. A response without length or chunks (HTTP/1.0)
 * would then look complete, so its connection is reset instead.
 */
export function cutOff({ incoming, outgoing }: HttpExchange, hasLength: boolean): void {
  const { socket } = outgoing;
  if (socket === null) outgoing.destroy();
  else if (hasLength || incoming.httpVersion !== '1.0') socket.destroySoon();
  else socket.write(NOTHING, () => reset(socket));
}

/** Resets the connection so that the client notices that data is missing. Only TCP connections can be reset. */
export function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}
