// A body that is sent while it comes → `node:http`. What the client does not take in time is not asked for.
import type { ServerResponse } from 'node:http';
import type { BodyStream } from '../contract/body-stream.ts';

/** Bytes that wait in this process for the client. */
const MOST_WAITING = 256 * 1024;

/** @param sendTimeoutMs after which a client that takes nothing is disconnected (by the server's `timeout` event) */
export function sendStream(outgoing: ServerResponse, body: BodyStream, sendTimeoutMs: number): void {
  if (outgoing.destroyed) return body.cancel();
  const { socket } = outgoing;
  outgoing.on('close', () => body.cancel());
  outgoing.on('drain', () => {
    socket?.setTimeout(0);
    body.resume();
  });
  body.read({
    take: (piece) => {
      outgoing.write(piece);
      if (outgoing.writableLength < MOST_WAITING) return true;
      socket?.setTimeout(sendTimeoutMs);
      return false;
    },
    end: () => {
      outgoing.end();
      if (!outgoing.writableFinished) socket?.setTimeout(sendTimeoutMs);
    },
    fail: () => cutOff(outgoing),
  });
}

/** Without the last chunk, or short of the length that was told. HTTP/1.0 has neither: a reset tells its clients. */
function cutOff(outgoing: ServerResponse): void {
  if (outgoing.req.httpVersion === '1.0') outgoing.socket?.resetAndDestroy();
  outgoing.destroy();
}
