// The pieces of a long answer that could not leave early: held until the transaction is over, in the memory that all such
// answers share, and sent from there, however slowly the client takes them.
import type { ApiError } from '../../errors/api-error.ts';
import type { BodyMemory, Reservation } from './body-memory.ts';
import { StreamedBody, type StreamSource } from './streamed-body.ts';

export const NO_ROOM: ApiError = {
  kind: 'overloaded',
  details: 'Slow clients keep all connections that may serve long answers, and the memory for others is used up',
  option: 'db-pool',
};

const NO_SOURCE: StreamSource = { pause: () => undefined, resume: () => undefined, cancel: () => undefined };

export class HeldPieces {
  readonly #reservation: Reservation;
  #isRefused = false;

  constructor(memory: BodyMemory) {
    this.#reservation = memory.reserve();
  }

  /** Whether there was no room: the answer is refused, and what still comes of it is passed over. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** @returns whether so many bytes more may be held */
  hold(bytes: number): boolean {
    if (this.#isRefused) return false;
    this.#isRefused = !this.#reservation.grow(bytes);
    if (this.#isRefused) this.#reservation.release();
    return !this.#isRefused;
  }

  /** @returns the whole body, which gives the memory back when it has been taken, or is not wanted */
  toBody(pieces: readonly Uint8Array[]): StreamedBody {
    const byteLength = pieces.reduce((sum, { length }) => sum + length, 0);
    const body = new StreamedBody(NO_SOURCE, { pieces, byteLength, expectedLength: undefined }, this.#reservation);
    body.finish(undefined);
    return body;
  }

  /** Nothing is held any more. */
  release(): void {
    this.#reservation.release();
  }
}
