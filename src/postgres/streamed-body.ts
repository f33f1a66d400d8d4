// In: the pieces of a body as the database sends them. Out: the same, as fast as whoever sends them on takes them; meanwhile
// the database waits, unless there is memory for all of the body.
import type { BodySink, BodyStream } from '../contract/body-stream.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { ReadAhead } from './read-ahead.ts';

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
  readonly #readAhead: ReadAhead | undefined;
  readonly #expectedLength: number | undefined;
  #pending: Uint8Array[] = [];
  /** Bytes. */
  #pendingSize = 0;
  /** Bytes of memory that are set aside for this body. */
  #reserved = 0;
  #sink: BodySink | undefined;
  #isBlocked = false;
  #isPaused = false;
  #isCancelled = false;
  #failure: ApiError | undefined;
  #hasEnded = false;

  constructor(source: StreamSource, { pieces, byteLength, expectedLength }: StreamBegin, readAhead?: ReadAhead) {
    this.#source = source;
    for (const piece of pieces) this.#append(piece);
    this.byteLength = byteLength;
    this.#expectedLength = expectedLength;
    this.#readAhead = readAhead;
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
    this.#pending = [];
    this.#pendingSize = 0;
    this.#freeReserved();
    if (this.#hasEnded) return;
    this.#isCancelled = true;
    this.#sink?.fail();
    // Its statement ends only if somebody takes what it has sent.
    this.#isPaused = false;
    this.#source.resume();
    this.#source.cancel();
  }

  add(piece: Uint8Array): void {
    if (this.#isCancelled) return;
    this.#append(piece);
    this.#pass();
  }

  /** The transaction is over, and nothing more comes. */
  finish(failure: ApiError | undefined): void {
    this.#hasEnded = true;
    // The connection is for others now, whatever is still to be taken.
    this.#unpause();
    if (this.#isCancelled) return;
    this.#failure = failure;
    this.#pass();
  }

  #pass(): void {
    const sink = this.#sink;
    if (sink === undefined) return this.#pause();
    while (!this.#isBlocked) {
      const piece = this.#mayTake ? this.#pending.shift() : undefined;
      if (piece === undefined) return this.#passEnd(sink);
      this.#pendingSize -= piece.length;
      this.#isBlocked = !sink.take(piece);
    }
    if (this.#mayReadAhead()) this.#unpause();
    else this.#pause();
  }

  #mayReadAhead(): boolean {
    const length = this.#expectedLength;
    if (this.#reserved === 0 && length !== undefined && this.#readAhead?.reserve(length) === true)
      this.#reserved = length;
    return this.#reserved > 0 && this.#pendingSize <= this.#reserved;
  }

  #append(piece: Uint8Array): void {
    this.#pending.push(piece);
    this.#pendingSize += piece.length;
  }

  #freeReserved(): void {
    this.#readAhead?.release(this.#reserved);
    this.#reserved = 0;
  }

  /** A body of known length is whole with its last piece: that waits until the transaction has ended well. */
  get #mayTake(): boolean {
    return this.byteLength === undefined || this.#pending.length > 1 || (this.#hasEnded && this.#failure === undefined);
  }

  /** All that may be taken has been. */
  #passEnd(sink: BodySink): void {
    if (!this.#hasEnded) return this.#unpause();
    this.#freeReserved();
    if (this.#failure === undefined) sink.end();
    else sink.fail();
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
