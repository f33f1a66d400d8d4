// One stream of the server: a list of reads, and how far each has come on it (`POST /` with `Accept: text/event-stream`).
import { createParser } from 'eventsource-parser';
import { comparePositions } from './positions.ts';
import { LiveError } from './live-error.ts';
import type { AnyRow, Change, WatchedRead } from './watched-read.ts';

/** What the server sends of a read. */
export type ReadEvent =
  | { readonly name: 'rows'; readonly id: string; readonly eventId: string; readonly rows: readonly AnyRow[] }
  | ({ readonly name: 'change'; readonly id: string; readonly eventId: string } & Change)
  | { readonly name: 'reset'; readonly id: string }
  | { readonly name: 'error'; readonly id: string; readonly status: number; readonly error: unknown };

/** A read as part of a list. */
export interface ListedRead {
  readonly read: WatchedRead;
  /** Whether it goes on after an event. */
  isResumed?: boolean;
  /** Events that the stream before this one has shown since this one was asked for. */
  readonly seen: Set<string>;
  /** Up to this position, the stream before this one had shown everything. */
  floor?: string | undefined;
  /** Whether it had shown more than that, or said no position. */
  isFloorVague?: boolean;
  /** Events that wait until this stream has come as far as the one before it. */
  held?: ReadEvent[] | undefined;
}

/** The server sends a comment as soon as it has accepted a list. */
const SILENT_START_MS = 15_000;
/** How long a new stream may be behind what the one before it has shown. */
const HOLD_MS = 1000;
/** It sends more of them every 15 s. Without two in a row, the connection is dead, though nobody has closed it. */
const SILENT_MS = 40_000;

export class EventList {
  /** Those that the server serves, by their id. */
  readonly reads: Map<string, ListedRead>;
  /** Everything up to it has come. */
  position: string | undefined;
  /** Whether events have been shown since. */
  isAhead = false;
  /** When the server accepted it. */
  openedAt = 0;
  isExpired = false;
  /** Set when it was given up because nothing came. */
  silence: LiveError | undefined;
  isOver = false;
  #canHold = false;
  #holdTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #abort = new AbortController();
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(reads: readonly WatchedRead[]) {
    this.reads = new Map(reads.map((read) => [read.element.id, { read, seen: new Set() }]));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Returns the body of the request that is sent now. */
  describe(): string {
    this.#expect(SILENT_START_MS);
    const elements = Array.from(this.reads.values(), (listed) => {
      const { element, needsRows, eventId } = listed.read;
      listed.isResumed = !needsRows;
      return needsRows ? element : { ...element, lastEventId: eventId };
    });
    return JSON.stringify(elements);
  }

  /** Everything of all reads up to this position has been shown. */
  hasReached(position: string): boolean {
    return [...this.reads.values()].every((listed) => isAtLeast(this.positionOf(listed), position));
  }

  /**
   * The server has accepted the list. Rows that begin again must not be older than those that are shown: they wait until this
   * stream has come as far as the one before it, but not for long.
   */
  start(before: EventList | undefined, release: () => void): void {
    this.openedAt = Date.now();
    this.#canHold = true;
    for (const listed of this.reads.values()) {
      const last = before?.reads.get(listed.read.element.id);
      if (before !== undefined && last !== undefined) {
        listed.floor = before.positionOf(last);
        listed.isFloorVague = before.isAhead || listed.floor === undefined;
      }
      if (listed.isResumed !== true && listed.read.isShown) this.hold(listed);
    }
    this.#holdTimer = setTimeout(() => {
      this.#canHold = false;
      release();
    }, HOLD_MS);
    this.#expect(SILENT_START_MS);
  }

  /** Everything of this read up to there has been shown. */
  positionOf({ floor }: ListedRead): string | undefined {
    return floor === undefined || isAtLeast(this.position, floor) ? this.position : floor;
  }

  hold(listed: ListedRead): void {
    if (this.isBehind(listed)) listed.held ??= [];
  }

  isBehind({ floor, isFloorVague }: ListedRead): boolean {
    return this.#canHold && (isFloorVague === true || (floor !== undefined && !isAtLeast(this.position, floor)));
  }

  async readEvents(response: Response, onEvent: (name: string, data: string) => void): Promise<number | undefined> {
    let retryAfter: number | undefined;
    const parser = createParser({
      onEvent: ({ event = '', data }) => {
        if (!this.isOver) onEvent(event, data);
      },
      onRetry: (milliseconds) => (retryAfter = milliseconds),
    });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const chunk = await reader?.read();
      if (chunk?.value === undefined || this.isOver) return retryAfter;
      this.#expect(SILENT_MS);
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
  }

  /** Nothing of it is shown any more. */
  end(): void {
    this.isOver = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#holdTimer);
    this.#abort.abort();
  }

  #expect(milliseconds: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      const text = `Nothing came for ${milliseconds / 1000} s. Does a proxy buffer responses?`;
      this.silence = new LiveError(text, { code: 'silent' });
      this.#abort.abort();
    }, milliseconds);
  }
}

function isAtLeast(position: string | undefined, required: string): boolean {
  return position !== undefined && comparePositions(position, required) >= 0;
}
