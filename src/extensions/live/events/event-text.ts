// Renders server-sent events in the format of the HTML standard. Events are bytes, because a row may be longer than a
// string can be, and consist of pieces, so that long events are rendered in slices.
import { joinBytes } from '../../../util/join-bytes.ts';
import { runSlices, type Slices } from '../../../util/slices.ts';

export interface EventHead {
  /** Contains no line breaks. */
  readonly name: string;
  readonly id: string | undefined;
}

export interface ServerEvent extends EventHead {
  readonly data: string;
}

/** The bytes of one event. Several streams share it, so its memory must never be reused. */
export interface EncodedEvent {
  readonly pieces: readonly Uint8Array[];
  readonly byteLength: number;
  /** The event whose bytes are part of it; they take memory once. */
  readonly shared?: EncodedEvent;
}

/** Size of most pieces of long events. */
const PIECE_BYTES = 65_536;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

const ENCODER = new TextEncoder();
const NEXT_LINE = ENCODER.encode('\ndata: ');
/** The last piece ends with it. */
export const END: Uint8Array = ENCODER.encode('\n\n');

/** Keeps the connection open while nothing happens, and sends the headers of a new stream. */
export const HEARTBEAT: EncodedEvent = encodeText(':\n\n');

export function renderEvent({ data, ...head }: ServerEvent): EncodedEvent {
  return runSlices(encodeEvent(head, [ENCODER.encode(data)]));
}

/** Returns everything before the data. */
export function renderHead({ name, id }: EventHead): Uint8Array {
  return ENCODER.encode(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: `);
}

/** @param data chunks of its text; each line break becomes one of the event's format */
export function* encodeEvent(head: EventHead, data: Iterable<Uint8Array>): Slices<EncodedEvent> {
  const writer = new EventWriter();
  writer.add(renderHead(head));
  for (const chunk of data) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      writer.addData(chunk.subarray(start, start + PIECE_BYTES));
      if (writer.hasGrown) yield;
    }
  }
  writer.add(END);
  return writer.end();
}

/** Tells the client how long to wait before it reconnects. */
export function renderRetry(milliseconds: number): EncodedEvent {
  return encodeText(`retry: ${milliseconds}\n\n`);
}

export function encodeText(text: string): EncodedEvent {
  const bytes = ENCODER.encode(text);
  return { pieces: [bytes], byteLength: bytes.length };
}

class EventWriter {
  readonly #pieces: Uint8Array[] = [];
  /** Parts of the next piece. */
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #byteLength = 0;
  #grownPieces = 0;
  #endsInReturn = false;

  /** Whether a piece has been completed since the last call. */
  get hasGrown(): boolean {
    const hasGrown = this.#pieces.length > this.#grownPieces;
    this.#grownPieces = this.#pieces.length;
    return hasGrown;
  }

  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#partBytes += part.length;
    if (this.#partBytes >= PIECE_BYTES) this.#complete();
  }

  /** Adds text of at most one piece. */
  addData(text: Uint8Array): void {
    let start = this.#endsInReturn && text[0] === LINE_FEED ? 1 : 0;
    let feed = text.indexOf(LINE_FEED, start);
    let end = text.indexOf(CARRIAGE_RETURN, start);
    while (feed >= 0 || end >= 0) {
      const at = end < 0 || (feed >= 0 && feed < end) ? feed : end;
      this.add(text.subarray(start, at));
      this.add(NEXT_LINE);
      start = at === end && feed === at + 1 ? at + 2 : at + 1;
      if (feed >= 0 && feed < start) feed = text.indexOf(LINE_FEED, start);
      if (end >= 0 && end < start) end = text.indexOf(CARRIAGE_RETURN, start);
    }
    this.add(text.subarray(start));
    if (text.length > 0) this.#endsInReturn = text[text.length - 1] === CARRIAGE_RETURN;
  }

  end(): EncodedEvent {
    if (this.#parts.length > 0) this.#complete();
    return { pieces: this.#pieces, byteLength: this.#byteLength };
  }

  #complete(): void {
    this.#pieces.push(joinBytes(this.#parts));
    this.#byteLength += this.#partBytes;
    this.#parts = [];
    this.#partBytes = 0;
  }
}
