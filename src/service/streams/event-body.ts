// The body of one event stream: passes events on as fast as the client reads, and holds a bounded backlog for it.
// Events are shared by streams, so their memory is never reused.
import type { BodySink, BodyStream } from '../../contract/body-stream.ts';

export interface EventBodyOptions {
  /** Bytes that may wait for the client. */
  readonly maxBacklog: number;
  /** Called when more bytes wait; they have been discarded. */
  readonly onBacklog: (body: EventBody) => void;
  /** Called when the client has taken everything, and was slow before. */
  readonly onCaughtUp?: (body: EventBody) => void;
  /** Called once, when the stream is over. */
  readonly onOver: (body: EventBody) => void;
}

/** A single event may be longer than the backlog; only what waits before it shows that the client is slow. */
const SMALL_BYTES = 1024;

export class EventBody implements BodyStream {
  readonly byteLength: undefined = undefined;
  failure: unknown;
  readonly #options: EventBodyOptions;
  #backlog: Uint8Array[] = [];
  #backlogBytes = 0;
  #sink: BodySink | undefined;
  #isBlocked = true;
  /** Whether events have been discarded. */
  #isBehind = false;
  #state: 'open' | 'ending' | 'over' = 'open';

  constructor(options: EventBodyOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  push(piece: Uint8Array): void {
    if (this.#state !== 'open') return;
    if (!this.#isBlocked) return this.#give(piece);
    this.#backlog.push(piece);
    this.#backlogBytes += piece.byteLength;
    const isFirst = this.#backlogBytes - piece.byteLength <= SMALL_BYTES;
    if (isFirst || this.#backlogBytes <= this.#options.maxBacklog) return;
    this.#discard();
    this.#isBehind = true;
    this.#options.onBacklog(this);
  }

  /** Ends the body when everything that waits has been sent. */
  end(last?: Uint8Array): void {
    if (this.#state !== 'open') return;
    if (last !== undefined) this.push(last);
    if (!this.isOpen) return;
    this.#state = 'ending';
    if (!this.#isBlocked) this.#finish((sink) => sink.end());
  }

  /** Breaks the response off. @param failure logged as the reason */
  fail(failure: unknown): void {
    if (this.#state === 'over') return;
    this.failure = failure;
    this.#finish((sink) => sink.fail());
  }

  read(sink: BodySink): void {
    this.#sink = sink;
    this.resume();
  }

  resume(): void {
    if (this.#sink === undefined || this.#state === 'over') return;
    this.#isBlocked = false;
    const waiting = this.#backlog;
    this.#backlog = [];
    this.#backlogBytes = 0;
    for (const [index, piece] of waiting.entries()) {
      this.#give(piece);
      if (this.#isBlocked) return this.#keep(waiting.slice(index + 1));
    }
    if (this.#state === 'ending') return this.#finish((given) => given.end());
    if (this.#isBehind) this.#options.onCaughtUp?.(this);
    this.#isBehind = false;
  }

  release(): void {}

  cancel(): void {
    if (this.#state !== 'over') this.#finish((sink) => sink.fail());
  }

  #give(piece: Uint8Array): void {
    if (this.#sink?.take(piece) === false) this.#isBlocked = true;
  }

  #keep(rest: Uint8Array[]): void {
    this.#backlog = rest;
    this.#backlogBytes = rest.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  #discard(): void {
    this.#backlog = [];
    this.#backlogBytes = 0;
  }

  #finish(tell: (sink: BodySink) => void): void {
    this.#state = 'over';
    this.#discard();
    if (this.#sink !== undefined) tell(this.#sink);
    this.#options.onOver(this);
  }
}
