// A response that its client has not taken yet: held to the pace of `server-send-timeout`, and its bytes counted.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BodyWatch, type WatchedBody } from '../limits/body-pace.ts';
import { reset } from './cut-off.ts';
import type { HttpLimits, LimitName } from '../limits/limits.ts';
import type { UnsentBytes } from '../limits/unsent-bytes.ts';

/** What the responses of one server have in common. */
export interface Sending {
  readonly paces: BodyWatch;
  readonly unsent: UnsentBytes;
  /** A client has been disconnected because it took its response too slowly. */
  readonly onTooSlow: () => void;
}

export interface SendingParts {
  readonly limits: () => HttpLimits;
  readonly onLimit: (name: LimitName) => void;
  readonly onError: (error: Error) => void;
  /** Counts what responses have given to sockets. */
  readonly unsent: UnsentBytes;
}

export function createSending({ limits, onLimit, onError, unsent }: SendingParts): Sending {
  return {
    paces: new BodyWatch(() => limits().serverSendTimeout * 1000),
    unsent,
    onTooSlow: () => {
      onLimit('server-send-timeout');
      onError(new Error(`a response was taken too slowly: server-send-timeout is ${limits().serverSendTimeout} s`));
    },
  };
}

export class SendWait implements WatchedBody {
  readonly #outgoing: ServerResponse;
  readonly #sending: Sending;
  #counted = 0;
  #hasEnded = false;

  constructor(outgoing: ServerResponse, sending: Sending) {
    this.#outgoing = outgoing;
    this.#sending = sending;
  }

  /** Bytes that the system has taken from the connection; those of earlier responses count as well. */
  get size(): number {
    const { socket } = this.#outgoing;
    return socket === null ? 0 : countSent(socket);
  }

  /** The bytes that the response holds now wait for the client, or for its turn behind earlier responses. */
  begin(): void {
    if (this.#hasEnded) return;
    this.#count(this.#outgoing.writableLength);
    if (this.#outgoing.socket !== null) this.#sending.paces.add(this);
  }

  /** The client has taken everything, and what comes next depends on the server. */
  rest(): void {
    this.#count(0);
    this.#sending.paces.hold(this);
  }

  end(): void {
    this.#hasEnded = true;
    this.#count(0);
    this.#sending.paces.remove(this);
  }

  giveUp(): void {
    if (this.#outgoing.writableLength === 0) return this.rest();
    const { socket } = this.#outgoing;
    this.end();
    this.#sending.onTooSlow();
    // Without a length and without chunks, a plain end would pass for the end of the body.
    if (socket !== null && this.#outgoing.req.httpVersion === '1.0') reset(socket);
    else socket?.destroy();
  }

  #count(bytes: number): void {
    const { unsent } = this.#sending;
    unsent.add(bytes);
    unsent.remove(this.#counted);
    this.#counted = bytes;
  }
}

/** A write that has been begun counts as far as it has come: one can be much larger than what a client takes in a minute. */
function countSent(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle === 'object' && handle !== null) {
    const written: unknown = Reflect.get(handle, 'bytesWritten');
    const queued: unknown = Reflect.get(handle, 'writeQueueSize');
    if (typeof written === 'number' && typeof queued === 'number') return written - queued;
  }
  return socket.bytesWritten - socket.writableLength;
}
