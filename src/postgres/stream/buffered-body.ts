// Buffers a long body that cannot be streamed until the transaction is over, in the memory shared by all such bodies.
// It is sent from there, regardless of how fast the client reads.
import type { ApiError } from '../../errors/api-error.ts';
import type { BodyMemory, Reservation } from './body-memory.ts';
import { StreamedBody, type StreamSource } from './streamed-body.ts';

export const BUFFER_FULL: ApiError = {
  kind: 'overloaded',
  details:
    'Slow clients occupy all connections that may stream responses, and the buffer for other long responses is full',
  option: 'db-pool',
};

const NO_SOURCE: StreamSource = { pause: () => undefined, resume: () => undefined, cancel: () => undefined };

export class BufferedBody {
  readonly #reservation: Reservation;
  #hasOverflowed = false;

  constructor(memory: BodyMemory) {
    this.#reservation = memory.reserve();
  }

  /** Whether memory ran out. The response is then an error, and the rest of the body is discarded. */
  get hasOverflowed(): boolean {
    return this.#hasOverflowed;
  }

  /** Reserves memory for more bytes. @returns false if there is not enough */
  reserve(bytes: number): boolean {
    if (this.#hasOverflowed) return false;
    this.#hasOverflowed = !this.#reservation.grow(bytes);
    if (this.#hasOverflowed) this.#reservation.release();
    return !this.#hasOverflowed;
  }

  /** Returns the whole body. It frees the memory when it has been read or is cancelled. */
  toBody(pieces: readonly Uint8Array[]): StreamedBody {
    const byteLength = pieces.reduce((sum, { length }) => sum + length, 0);
    const body = new StreamedBody(NO_SOURCE, { pieces, byteLength, expectedLength: undefined }, this.#reservation);
    body.finish(undefined);
    return body;
  }

  /** Frees the memory. */
  release(): void {
    this.#reservation.release();
  }
}
