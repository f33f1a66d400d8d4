// Tracks a response that waits for its client: enforces `server-send-timeout` and counts its unsent bytes.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BodyWatch, type PacedTransfer } from '../limits/body-pace.ts';
import { reset } from './cut-off.ts';
import type { CurrentLimits, LimitName } from '../limits/limits.ts';
import type { UnsentBytes } from '../limits/unsent-bytes.ts';

/** Shared by all responses of a server. */
export interface Sending {
  readonly paces: BodyWatch;
  readonly unsent: UnsentBytes;
  /** Called when a client is disconnected because it reads its response too slowly. */
  readonly onTooSlow: () => void;
}

export function createSending(
  limits: CurrentLimits,
  onLimit: (name: LimitName) => void,
  onError: (error: Error) => void,
  unsent: UnsentBytes,
): Sending {
  return {
    paces: new BodyWatch(() => limits.config.serverSendTimeout * 1000),
    unsent,
    onTooSlow: () => {
      onLimit('server-send-timeout');
      onError(
        new Error(`a client read its response too slowly: server-send-timeout is ${limits.config.serverSendTimeout} s`),
      );
    },
  };
}

export class SendWait implements PacedTransfer {
  readonly #outgoing: ServerResponse;
  readonly #sending: Sending;
  #counted = 0;
  #hasEnded = false;

  constructor(outgoing: ServerResponse, sending: Sending) {
    this.#outgoing = outgoing;
    this.#sending = sending;
  }

  /** Bytes of the connection that the system has accepted, including those of earlier responses. */
  get size(): number {
    const { socket } = this.#outgoing;
    return socket === null ? 0 : countSent(socket);
  }

  /** Starts waiting for the client, or for earlier responses, with the bytes that the response holds now. */
  begin(): void {
    if (this.#hasEnded) return;
    this.#count(this.#outgoing.writableLength);
    if (this.#outgoing.socket !== null) this.#sending.paces.add(this);
  }

  /** Suspends waiting: the client has read everything, and the next bytes depend on the server. */
  suspend(): void {
    this.#count(0);
    this.#sending.paces.suspend(this);
  }

  end(): void {
    this.#hasEnded = true;
    this.#count(0);
    this.#sending.paces.remove(this);
  }

  giveUp(): void {
    if (this.#outgoing.writableLength === 0) return this.suspend();
    const { socket } = this.#outgoing;
    this.end();
    this.#sending.onTooSlow();
    // Without length or chunks, a regular end would look like the end of the body.
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

/** Counts partial writes too: a single write can be larger than what a client reads in a minute. */
function countSent(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle === 'object' && handle !== null) {
    const written: unknown = Reflect.get(handle, 'bytesWritten');
    const queued: unknown = Reflect.get(handle, 'writeQueueSize');
    if (typeof written === 'number' && typeof queued === 'number') return written - queued;
  }
  return socket.bytesWritten - socket.writableLength;
}
