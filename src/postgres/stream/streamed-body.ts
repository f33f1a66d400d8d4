// Forwards the pieces of a body from the database to a consumer at the consumer's pace. Pauses the database when the
// consumer is slow, unless there is memory for the whole body.
//
// States and events (`test/postgres/walks/pool.walk.test.ts` tests random sequences, `streamed-body.test.ts` each case):
//
// | state     | read, resume | add     | sink full | finish     | cancel            | sink throws       | source                   |
// |-----------|--------------|---------|-----------|------------|-------------------|-------------------|--------------------------|
// | unread    | → flowing    | buffer  | –         | → draining | → cancelled, stop | –                 | paused                   |
// | flowing   | –            | forward | → blocked | → draining | → cancelled, stop | → cancelled, stop | running                  |
// | blocked   | → flowing    | buffer  | –         | → draining | → cancelled, stop | –                 | paused, or reading ahead |
// | draining  | forward      | –       | wait      | –          | → cancelled       | → cancelled       | released                 |
// | done      | –            | –       | –         | –          | –                 | –                 | released                 |
// | cancelled | –            | discard | –         | –          | –                 | –                 | running until it ends    |
//
// Draining: the transaction is over, but the sink has not taken every piece. After the last one, the body is done. A
// body that is cancelled while draining and unread is done too.
import type { BodySink, BodyStream } from '../../contract/body-stream.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Reservation } from './body-memory.ts';

export interface StreamSource {
  /** Stops the flow of pieces until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends the statement. Pieces that still arrive are discarded. */
  cancel(): void;
}

export interface StreamStart {
  /** Pieces received so far. */
  readonly pieces: readonly Uint8Array[];
  /** Exact length in bytes, if known. */
  readonly byteLength: number | undefined;
  /** The exact length or a little more, if known. */
  readonly expectedLength: number | undefined;
}

export class StreamedBody implements BodyStream {
  readonly byteLength: number | undefined;
  /** Reuses the memory of a piece. */
  onRelease: ((piece: Uint8Array) => void) | undefined;
  readonly #source: StreamSource;
  readonly #reservation: Reservation;
  readonly #expectedLength: number | undefined;
  #pending: Uint8Array[] = [];
  #pendingSize = 0;
  #sink: BodySink | undefined;
  #isBlocked = false;
  #isPaused = false;
  #isCancelled = false;
  #failure: ApiError | undefined;
  #hasEnded = false;

  /** @param reservation memory for reading ahead; freed when the body is fully read */
  constructor(source: StreamSource, { pieces, byteLength, expectedLength }: StreamStart, reservation: Reservation) {
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

  /** Why the body is incomplete. */
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
    // Read completely, or never read: there is no sink to notify and nothing to stop.
    if (this.#hasEnded && sink === undefined) return;
    this.#isCancelled = true;
    this.#sink = undefined;
    if (!this.#hasEnded) {
      // The statement can end only if its messages are read.
      this.#isPaused = false;
      this.#source.resume();
      this.#source.cancel();
    }
    this.#callSink(() => sink?.fail());
  }

  add(piece: Uint8Array): void {
    if (this.#isCancelled) return;
    this.#append(piece);
    this.#pass();
  }

  /** Call when the transaction is over and no further piece follows. */
  finish(failure: ApiError | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // The connection is needed for other requests, even if pieces are still buffered.
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
      this.#callSink(() => (this.#isBlocked = !sink.take(piece)));
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

  /** The last piece completes a body of known length, so it is held back until the transaction has succeeded. */
  get #mayTake(): boolean {
    return this.byteLength === undefined || this.#pending.length > 1 || (this.#hasEnded && this.#failure === undefined);
  }

  /** Call when no further piece may be forwarded. */
  #passEnd(sink: BodySink): void {
    if (!this.#hasEnded) return this.#unpause();
    this.#reservation.release();
    this.#sink = undefined;
    this.#callSink(() => (this.#failure === undefined ? sink.end() : sink.fail()));
  }

  /** Database messages are being handled here: an exception in the consumer ends only its own body. */
  #callSink(act: () => void): void {
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
