// The rows that the streams of a group have, and how a new read changes them.
import { renderRows, renderWhole } from './live-events.ts';
import { compareAll, compareTouched, isEmpty, type RowsByKey, type RowsDifference } from './row-changes.ts';

export type LiveRows =
  | { readonly kind: 'keyed'; readonly rows: RowsByKey }
  /** A JSON array. */
  | { readonly kind: 'whole'; readonly text: string };

export class SentRows {
  #rows: Map<string, string> = new Map();
  /** Undefined if the rows are known by their keys. */
  #text: string | undefined;
  #isOrdered = true;

  /** Number of rows that are known by their keys. */
  get size(): number {
    return this.#rows.size;
  }

  /** Whether the rows are in the order of the read. */
  get isOrdered(): boolean {
    return this.#isOrdered;
  }

  get keys(): Iterable<string> {
    return this.#rows.keys();
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  /** @returns the difference, or that all rows must be sent, because they were or are not known by their keys */
  replace(read: LiveRows): RowsDifference | 'all' | 'same' {
    const before = { rows: this.#rows, text: this.#text };
    this.#isOrdered = true;
    this.#rows = new Map(read.kind === 'keyed' ? read.rows : []);
    this.#text = read.kind === 'whole' ? read.text : undefined;
    if (read.kind === 'keyed' && before.text === undefined) return compareAll(before.rows, read.rows);
    return this.#text === before.text ? 'same' : 'all';
  }

  /** @param touched keys of the rows that were read again, @param found those that exist */
  change(touched: readonly string[], found: RowsByKey): RowsDifference {
    const difference = compareTouched(this.#rows, touched, found);
    for (const key of difference.deleted) this.#rows.delete(key);
    for (const [key, row] of found) this.#rows.set(key, row);
    this.#isOrdered &&= isEmpty(difference);
    return difference;
  }

  render(id: string): Uint8Array {
    return this.#text === undefined ? renderRows(this.#rows.values(), id) : renderWhole(this.#text, id);
  }
}
