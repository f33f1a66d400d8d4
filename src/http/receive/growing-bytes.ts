// Collects the chunks of a body in segments. Memory grows with the bytes received, not with the declared length, and what
// has been received is not copied while more arrives. A body of one chunk, the usual case, is not copied at all.
import { setImmediate } from 'node:timers/promises';
import { runSlicesWithPauses, type Slices } from '../../util/slices.ts';

const MIN_SEGMENT = 16_384;
const MAX_SEGMENT = 1_048_576;
/** Bytes that are copied without a pause. */
const SLICE = 4 * MAX_SEGMENT;

export class GrowingBytes {
  /** Bytes received. */
  size = 0;
  readonly #expected: number;
  /** All but the last are full. */
  #segments: Uint8Array[] = [];
  /** Bytes of the last segment that are not used yet. */
  #room = 0;

  /** @param expected declared length, or 0 if unknown; the segments never exceed it */
  constructor(expected: number) {
    this.#expected = expected;
  }

  add(chunk: Uint8Array): void {
    const fitting = Math.min(this.#room, chunk.length);
    if (fitting > 0) this.#write(chunk.subarray(0, fitting));
    const rest = fitting > 0 ? chunk.subarray(fitting) : chunk;
    if (rest.length === 0) return;
    if (this.size === 0 || rest.length >= MAX_SEGMENT) {
      // The chunk itself becomes a segment, which must not be written to.
      this.#segments.push(rest);
      this.size += rest.length;
      return;
    }
    const capacity = Math.max(Math.min(this.size, MAX_SEGMENT), rest.length, MIN_SEGMENT);
    const missing = this.#expected - this.size;
    this.#room = missing >= rest.length ? Math.min(capacity, missing) : capacity;
    this.#segments.push(Buffer.allocUnsafe(this.#room));
    this.#write(rest);
  }

  clear(): void {
    this.#segments = [];
    this.#room = 0;
  }

  /** Returns the segments, without the unused rest of the last. */
  takeSegments(): Uint8Array[] {
    const segments = this.#segments;
    const last = this.#room > 0 ? segments.pop() : undefined;
    if (last !== undefined) segments.push(last.subarray(0, last.length - this.#room));
    this.clear();
    return segments;
  }

  /** Joins the segments, with pauses if there are many. */
  join(): Uint8Array | Promise<Uint8Array> {
    return runSlicesWithPauses(joinInSlices(this.takeSegments(), this.size), setImmediate);
  }

  #write(bytes: Uint8Array): void {
    const last = this.#segments.at(-1);
    if (last === undefined) return;
    last.set(bytes, last.length - this.#room);
    this.#room -= bytes.length;
    this.size += bytes.length;
  }
}

/** @param segments is emptied meanwhile, so that their memory can be freed */
function* joinInSlices(segments: Uint8Array[], size: number): Slices<Uint8Array> {
  const [first] = segments;
  if (first === undefined) return new Uint8Array();
  if (segments.length === 1) return first;
  const joined = Buffer.allocUnsafe(size);
  let at = 0;
  let sliceEnd = SLICE;
  for (const [index, segment] of segments.entries()) {
    segments[index] = EMPTY;
    for (let from = 0; from < segment.length; from += SLICE) {
      if (at >= sliceEnd) {
        yield;
        sliceEnd = at + SLICE;
      }
      const part = segment.subarray(from, from + SLICE);
      joined.set(part, at);
      at += part.length;
    }
  }
  return joined;
}

const EMPTY = new Uint8Array();
