// The rows that the streams of a group have received, as keys with a hash of each row, or as one hash of the whole
// result. Finds the differences to a new read. Long results are compared in slices.
import type { Slices } from '../../../util/slices.ts';
import { readKey, readRow, type RowsDifference } from './row-changes.ts';

export type LiveRows =
  /** Lines as `renderLiveRows` describes them. */
  | { readonly kind: 'keyed'; readonly lines: readonly Uint8Array[] }
  /** A JSON array. */
  | { readonly kind: 'whole'; readonly body: Uint8Array };

/** A hash that is computed step by step. It must resist collisions, or a change of a row could go unnoticed. */
export interface RunningHash {
  update(bytes: Uint8Array): unknown;
  digest(): string;
}

export type CreateHash = () => RunningHash;

/** Bytes that are hashed without a pause. */
const SLICE_BYTES = 131_072;
const SLICE_ROWS = 64;
/** Estimate for a key and its hash, with their places in the indexes of `Interests`. */
const ROW_BYTES = 400;

export class SentRows {
  readonly #createHash: CreateHash;
  /** By key. */
  #hashes: Map<string, string> = new Map();
  /** Undefined if the rows are known by their keys. */
  #whole: string | undefined;
  #keyLengths = 0;

  constructor(createHash: CreateHash) {
    this.#createHash = createHash;
  }

  /** Number of rows that are known by their keys. */
  get size(): number {
    return this.#hashes.size;
  }

  /** Estimated memory. */
  get bytes(): number {
    return this.#hashes.size * ROW_BYTES + this.#keyLengths * 2;
  }

  get keys(): Iterable<string> {
    return this.#hashes.keys();
  }

  has(key: string): boolean {
    return this.#hashes.has(key);
  }

  /** @returns the difference, or that all rows must be sent, because they were or are not known by their keys */
  *replace(read: LiveRows): Slices<RowsDifference | 'all' | 'same'> {
    const before = { hashes: this.#hashes, whole: this.#whole };
    if (read.kind === 'whole') {
      const whole = yield* this.#hash(read.body);
      this.#keep(new Map(), whole);
      return whole === before.whole ? 'same' : 'all';
    }
    const after: Map<string, string> = new Map();
    const upserted = yield* this.#compare(read.lines, before.hashes, after);
    this.#keep(after, undefined);
    if (before.whole !== undefined) return 'all';
    return { upserted, deleted: [...before.hashes.keys()].filter((key) => !after.has(key)) };
  }

  /** @param touched keys of the rows that were read again, @param lines those that exist */
  *change(touched: readonly string[], lines: readonly Uint8Array[]): Slices<RowsDifference> {
    const found: Map<string, string> = new Map();
    const upserted = yield* this.#compare(lines, this.#hashes, found);
    const deleted = [...new Set(touched)].filter((key) => this.#hashes.has(key) && !found.has(key));
    for (const key of deleted) {
      this.#hashes.delete(key);
      this.#keyLengths -= key.length;
    }
    for (const [key, hash] of found) {
      if (!this.#hashes.has(key)) this.#keyLengths += key.length;
      this.#hashes.set(key, hash);
    }
    return { upserted, deleted };
  }

  /** Returns the rows that are new or different. @param after receives the hashes of all rows */
  *#compare(
    lines: readonly Uint8Array[],
    before: ReadonlyMap<string, string>,
    after: Map<string, string>,
  ): Slices<Uint8Array[]> {
    const upserted: Uint8Array[] = [];
    let [bytes, rows] = [0, 0];
    for (const line of lines) {
      const [key, row] = [readKey(line), readRow(line)];
      const hash = yield* this.#hash(row);
      if (before.get(key) !== hash) upserted.push(row);
      after.set(key, hash);
      bytes += line.length;
      rows += 1;
      if (bytes < SLICE_BYTES && rows < SLICE_ROWS) continue;
      [bytes, rows] = [0, 0];
      yield;
    }
    return upserted;
  }

  *#hash(bytes: Uint8Array): Slices<string> {
    const hash = this.#createHash();
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      if (start > 0) yield;
      hash.update(bytes.subarray(start, start + SLICE_BYTES));
    }
    return hash.digest();
  }

  #keep(hashes: Map<string, string>, whole: string | undefined): void {
    this.#hashes = hashes;
    this.#whole = whole;
    this.#keyLengths = 0;
    for (const key of hashes.keys()) this.#keyLengths += key.length;
  }
}
