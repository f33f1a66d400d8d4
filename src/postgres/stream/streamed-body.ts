// In: the pieces of a body as the database sends them. Out: the same, as fast as the consumer takes them; meanwhile the
// database waits, unless there is memory for all of the body.
//
// States and events (`test/postgres/stream/streamed-body.walk.test.ts` walks them at random):
//
// | state     | add            | finish        | cancel            | consumer throws | source      |
// |-----------|----------------|---------------|-------------------|-----------------|-------------|
// | unread    | keeps          | → ended       | → cancelled, stop | –               | paused      |
// | flowing   | passes on      | → ended       | → cancelled, stop | → cancelled     | running     |
// | blocked   | keeps          | → ended       | → cancelled, stop | –               | paused, or reading ahead |
// | ended     | –              | –             | → cancelled       | → cancelled     | let go      |
// | cancelled | passes over    | lets go       | –                 | –               | running, so that it can end |
import type { BodySink, BodyStream } from '../../contract/body-stream.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Reservation } from './body-memory.ts';

export interface StreamSource {
  /** Nothing more is to come until `resume`. */
  pause(): void;
  resume(): void;
  /** The statement is to end. What still comes is passed over. */
  cancel(): void;
}

export interface StreamBegin {
  /** What has come so far. */
  readonly pieces: readonly Uint8Array[];
  /** Bytes of all; undefined: not known. */
  readonly byteLength: number | undefined;
  /** The same, or somewhat more. */
  readonly expectedLength: number | undefined;
}

export class StreamedBody implements BodyStream {
  readonly byteLength: number | undefined;
  /** Takes back the memory of pieces. */
  onRelease: ((piece: Uint8Array) => void) | undefined;
  readonly #source: StreamSource;
  readonly #reservation: Reservation;
  readonly #expectedLength: number | undefined;
  #pending: Uint8Array[] = [];
  /** Bytes. */
  #pendingSize = 0;
  #sink: BodySink | undefined;
  #isBlocked = false;
  #isPaused = false;
  #isCancelled = false;
  #failure: ApiError | undefined;
  #hasEnded = false;

  /** @param reservation memory that the body may use, and gives back when all of it has been taken */
  constructor(source: StreamSource, { pieces, byteLength, expectedLength }: StreamBegin, reservation: Reservation) {
    this.#source = source;
    for (const piece of pieces) this.#append(piece);
    this.byteLength = byteLength;
    this.#expectedLength = expectedLength;
    this.#reservation = reservation;
    this.#pause();
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Why the rest did not come. */
  get failure(): ApiError | undefined {
    return this.#failure;
  }

  read(sink: BodySink): void {
    this.#sink = sink;
    this.#pass();
  }

  resume(): void {
    this.#isBlocked = false;
    this.#pass();
  }

  release(piece: Uint8Array): void {
    this.onRelease?.(piece);
  }

  cancel(): void {
    if (this.#isCancelled) return;
    const sink = this.#sink;
    this.#pending = [];
    this.#pendingSize = 0;
    this.#reservation.release();
    // Then all has been taken.
    if (this.#hasEnded && sink === undefined) return;
    this.#isCancelled = true;
    this.#sink = undefined;
    if (!this.#hasEnded) {
      // Its statement ends only if its messages are read.
      this.#isPaused = false;
      this.#source.resume();
      this.#source.cancel();
    }
    this.#tell(() => sink?.fail());
  }

  add(piece: Uint8Array): void {
    if (this.#isCancelled) return;
    this.#append(piece);
    this.#pass();
  }

  /** The transaction is over, and nothing more comes. */
  finish(failure: ApiError | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // The connection is for others now, whatever is still to be taken.
    this.#unpause();
    if (this.#isCancelled) return;
    this.#failure = failure;
    this.#pass();
  }

  #pass(): void {
    while (!this.#isBlocked && this.#sink !== undefined) {
      const sink = this.#sink;
      const piece = this.#mayTake ? this.#pending.shift() : undefined;
      if (piece === undefined) return this.#passEnd(sink);
      this.#pendingSize -= piece.length;
      this.#tell(() => (this.#isBlocked = !sink.take(piece)));
    }
    if (this.#sink !== undefined && this.#mayReadAhead()) this.#unpause();
    else this.#pause();
  }

  #mayReadAhead(): boolean {
    const length = this.#expectedLength;
    if (this.#reservation.size === 0 && length !== undefined) this.#reservation.grow(length);
    return this.#reservation.size > 0 && this.#pendingSize <= this.#reservation.size;
  }

  #append(piece: Uint8Array): void {
    this.#pending.push(piece);
    this.#pendingSize += piece.length;
  }

  /** A body of known length is whole with its last piece: that waits until the transaction has ended well. */
  get #mayTake(): boolean {
    return this.byteLength === undefined || this.#pending.length > 1 || (this.#hasEnded && this.#failure === undefined);
  }

  /** All that may be taken has been. */
  #passEnd(sink: BodySink): void {
    if (!this.#hasEnded) return this.#unpause();
    this.#reservation.release();
    this.#sink = undefined;
    this.#tell(() => (this.#failure === undefined ? sink.end() : sink.fail()));
  }

  /** The messages of the database are being handled: whatever the consumer throws ends its own body only. */
  #tell(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#failure ??= { kind: 'undecodableResult', details: `The body could not be sent: ${String(error)}` };
      this.cancel();
    }
  }

  #pause(): void {
    if (this.#isPaused || this.#hasEnded || this.#isCancelled) return;
    this.#isPaused = true;
    this.#source.pause();
  }

  #unpause(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source.resume();
  }
}
