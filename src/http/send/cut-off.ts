// A response whose rest does not come → the end of its connection, from which the client sees that it has a part of it.
import type { Socket } from 'node:net';
import type { HttpExchange } from '../limits/pipeline-queue.ts';

const NOTHING = new Uint8Array();

/**
 * What has been written leaves first. Without a length and without chunks, as for HTTP/1.0, the end of the connection is the
 * end of a response, so the connection is reset instead.
 */
export function cutOff({ incoming, outgoing }: HttpExchange, hasLength: boolean): void {
  const { socket } = outgoing;
  if (socket === null) outgoing.destroy();
  else if (hasLength || incoming.httpVersion !== '1.0') socket.destroySoon();
  else socket.write(NOTHING, () => reset(socket));
}

/** Ends the connection so that its client sees that something is missing. Only TCP connections can be reset. */
export function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}
