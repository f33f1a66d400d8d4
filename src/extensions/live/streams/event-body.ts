// The body of one event stream: passes events on as fast as the client reads, and keeps a bounded backlog. It discards
// only whole events.
import type { BodySink, BodyStream } from '../../../contract/body-stream.ts';
import { joinBytes } from '../../../util/join-bytes.ts';
import type { EncodedEvent } from '../events/event-text.ts';
import type { LiveMemory } from '../events/live-memory.ts';

export interface EventBodyOptions {
  /** Bytes that may wait for the client. */
  readonly maxBacklog: number;
  /** Counts the events that wait. */
  readonly memory: Pick<LiveMemory, 'hold' | 'release'>;
  /** Called when the backlog exceeded its limit and has been discarded. */
  readonly onBacklog: (body: EventBody, discarded: readonly EncodedEvent[]) => void;
  /** Called when a slow client has caught up. */
  readonly onCaughtUp?: (body: EventBody) => void;
  /** Called once, when the stream is over. */
  readonly onOver: (body: EventBody) => void;
}

/** A single event may be longer than the backlog. The client counts as slow only if other events wait before it. */
const FEW_BYTES = 1024;
/** The pieces of shorter events are sent together. */
const SMALL_BYTES = 16_384;

export class EventBody implements BodyStream {
  readonly byteLength: undefined = undefined;
  readonly isEndless = true;
  failure: unknown;
  readonly #options: EventBodyOptions;
  /** Waiting events. The first one may have been sent in part. */
  #backlog: EncodedEvent[] = [];
  #backlogBytes = 0;
  /** Number of pieces of the first event that have been sent. */
  #sentPieces = 0;
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

  push(event: EncodedEvent): void {
    if (this.#state !== 'open') return;
    const waiting = this.#backlogBytes - this.#arriving.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#keep(event);
    if (!this.#isBlocked) return this.#send();
    if (waiting <= FEW_BYTES || waiting + event.byteLength <= this.#options.maxBacklog) return;
    const discarded = this.#discard(this.#arriving.length);
    this.#isBehind = true;
    this.#options.onBacklog(this, discarded);
  }

  /** Ends the body when all waiting events have been sent. */
  end(last?: EncodedEvent): void {
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
    this.#send();
    if (this.#isBlocked) return;
    if (this.#state === 'ending') return this.#finish((given) => given.end());
    const wasBehind = this.#isBehind;
    this.#isBehind = false;
    if (wasBehind) this.#options.onCaughtUp?.(this);
  }

  release(): void {}

  cancel(): void {
    if (this.#state !== 'over') this.#finish((sink) => sink.fail());
  }

  /** The event that the client has received in part. */
  get #arriving(): readonly EncodedEvent[] {
    return this.#sentPieces > 0 ? this.#backlog.slice(0, 1) : [];
  }

  /** Passes waiting events to the sink until it accepts no more. */
  #send(): void {
    for (let event = this.#backlog[0]; event !== undefined && !this.#isBlocked; event = this.#backlog[0]) {
      const isSmall = event.byteLength <= SMALL_BYTES && event.pieces.length > 1;
      const piece = isSmall ? joinBytes(event.pieces) : event.pieces[this.#sentPieces];
      this.#sentPieces = isSmall ? event.pieces.length : this.#sentPieces + 1;
      if (this.#sentPieces >= event.pieces.length) {
        this.#backlog.shift();
        this.#sentPieces = 0;
        this.#drop([event]);
      }
      if (piece !== undefined) this.#give(piece);
    }
  }

  #give(piece: Uint8Array): void {
    if (this.#sink?.take(piece) === false) this.#isBlocked = true;
  }

  #keep(event: EncodedEvent): void {
    this.#backlog.push(event);
    this.#backlogBytes += event.byteLength;
    this.#options.memory.hold(event);
  }

  /** @param kept number of events to keep @returns the others */
  #discard(kept: number): readonly EncodedEvent[] {
    const discarded = this.#backlog.splice(kept);
    this.#drop(discarded);
    return discarded;
  }

  #drop(events: readonly EncodedEvent[]): void {
    for (const event of events) {
      this.#backlogBytes -= event.byteLength;
      this.#options.memory.release(event);
    }
  }

  #finish(tell: (sink: BodySink) => void): void {
    this.#state = 'over';
    this.#discard(0);
    if (this.#sink !== undefined) tell(this.#sink);
    this.#options.onOver(this);
  }
}
