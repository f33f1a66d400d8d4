// What the description of a result says about its rows as JSON objects: the key and the spelling of each column.
import type { SpelledDelivery } from '../../contract/delivery.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { readDescribedColumns } from '../wire/read-message.ts';
import { escapeText, MAX_ADDED, MAX_GROWTH, SPELLING, type Spelling, spellingOf, viewOf } from './spell-value.ts';

export interface RowLayout {
  /** Index of the first column that belongs to the object. */
  readonly first: number;
  /** What precedes each value: `"id":`, then `,"name":`. */
  readonly keys: readonly DataView[];
  readonly spellings: readonly Spelling[];
  /** Bytes of a row besides its values, at most. */
  readonly fixedSize: number;
  /** Whether the server can spell all columns. */
  readonly isComplete: boolean;
  /** Whether it can do so only if dates have the style ISO. */
  readonly hasDates: boolean;
}

/** The same statement is described for every request. */
const KNOWN: WeakMap<SpelledDelivery, { readonly description: Buffer; readonly layout: RowLayout }> = new WeakMap();

/**
 * @param message a RowDescription
 * @param first index of the first column that belongs to the object
 * @returns undefined if the message contradicts its own length
 */
export function readLayout(message: ServerMessage, delivery: SpelledDelivery, first: number): RowLayout | undefined {
  const { bytes, start, end } = message;
  const known = KNOWN.get(delivery);
  if (known !== undefined && bytes.compare(known.description, 0, known.description.length, start, end) === 0)
    return known.layout;
  const columns = readDescribedColumns(message)?.slice(first);
  if (columns === undefined) return undefined;
  const keys = columns.map(({ name }, index) => renderKey(name, index > 0));
  const isLine = delivery.kind === 'ndjson';
  const spellings = columns.map(({ typeOid }) => spellingOf(typeOid, delivery.spelledTypes, isLine));
  const layout: RowLayout = {
    first,
    keys,
    spellings,
    fixedSize: keys.reduce((sum, { byteLength }) => sum + byteLength + MAX_ADDED, 2),
    isComplete: !spellings.includes(SPELLING.unknown),
    hasDates: spellings.includes(SPELLING.date) || spellings.includes(SPELLING.timestamp),
  };
  KNOWN.set(delivery, { description: Buffer.from(bytes.subarray(start, end)), layout });
  return layout;
}

function renderKey(name: Buffer, isFollowing: boolean): DataView {
  const escaped = Buffer.alloc(MAX_GROWTH * name.length);
  const length = escapeText(viewOf(escaped), 0, viewOf(name), 0, name.length);
  return viewOf(Buffer.concat([Buffer.from(isFollowing ? ',"' : '"'), escaped.subarray(0, length), Buffer.from('":')]));
}
