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
      outgoing.write(piece, (error) => {
        if (!(error instanceof Error)) body.release(piece);
      });
      if (outgoing.writableLength < MOST_WAITING) return true;
      socket?.setTimeout(sendTimeoutMs);
      return false;
    },
    end: () => {
      outgoing.end();
      if (!outgoing.writableFinished) socket?.setTimeout(sendTimeoutMs);
    },
    // Without its last chunk, or short of its length.
    fail: () => outgoing.destroy(),
  });
}

/** Of a body that is not sent before all of it is here; where it does not come whole, nothing is sent. */
export function collectStream(outgoing: ServerResponse, body: BodyStream, send: (bytes: Uint8Array) => void): void {
  if (outgoing.destroyed) return body.cancel();
  const pieces: Uint8Array[] = [];
  outgoing.on('close', () => body.cancel());
  body.read({
    take: (piece) => pieces.push(piece) > 0,
    end: () => send(Buffer.concat(pieces)),
    fail: () => outgoing.destroy(),
  });
}
