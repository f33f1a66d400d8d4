// In: the pieces of a body as the database sends them. Out: the same, as fast as whoever sends them on takes them; meanwhile
// the database waits.
import type { BodySink, BodyStream } from '../contract/body-stream.ts';

export interface StreamSource {
  /** Nothing more is to come until `resume`. */
  pause(): void;
  resume(): void;
  /** The statement is to end. What still comes is passed over. */
  cancel(): void;
}

export class StreamedBody implements BodyStream {
  readonly byteLength: number | undefined;
  readonly #source: StreamSource;
  #pending: Uint8Array[] = [];
  #sink: BodySink | undefined;
  #isBlocked = false;
  #isPaused = false;
  #isCancelled = false;
  #end: 'whole' | 'broken' | undefined;

  constructor(source: StreamSource, begin: readonly Uint8Array[], byteLength?: number) {
    this.#source = source;
    this.#pending = [...begin];
    this.byteLength = byteLength;
    this.#pause();
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  read(sink: BodySink): void {
    this.#sink = sink;
    this.#pass();
  }

  resume(): void {
    this.#isBlocked = false;
    this.#pass();
  }

  cancel(): void {
    if (this.#isCancelled || this.#end !== undefined) return;
    this.#isCancelled = true;
    this.#pending = [];
    this.#sink?.fail();
    // Its statement ends only if somebody takes what it has sent.
    this.#isPaused = false;
    this.#source.resume();
    this.#source.cancel();
  }

  add(piece: Uint8Array): void {
    if (this.#isCancelled) return;
    this.#pending.push(piece);
    this.#pass();
  }

  /** Nothing more comes. */
  finish(end: 'whole' | 'broken'): void {
    this.#end = end;
    // The connection is for others now, whatever is still to be taken.
    if (this.#isPaused) this.#source.resume();
    this.#isPaused = false;
    if (!this.#isCancelled) this.#pass();
  }

  #pass(): void {
    const sink = this.#sink;
    if (sink === undefined) return this.#pause();
    while (!this.#isBlocked) {
      const piece = this.#pending.shift();
      if (piece === undefined) return this.#passEnd(sink);
      this.#isBlocked = !sink.take(piece);
    }
    this.#pause();
  }

  /** All that has come has been taken. */
  #passEnd(sink: BodySink): void {
    if (this.#end === 'whole') sink.end();
    else if (this.#end === 'broken') sink.fail();
    else if (this.#isPaused) {
      this.#isPaused = false;
      this.#source.resume();
    }
  }

  #pause(): void {
    if (this.#isPaused || this.#end !== undefined || this.#isCancelled) return;
    this.#isPaused = true;
    this.#source.pause();
  }
}
