// The response formats: the request for a slice of the data, and every byte of its correct response.
import { BAD_ROW, DOCUMENTS, GOOD_ROWS, OPENING_ROWS, WIDE_BYTES, WIDE_ROWS } from './fixture.ts';

/** The data that is requested. */
export type Slice =
  | { readonly kind: 'rows'; readonly first: number; readonly last: number }
  /** More than is ever buffered for a client that does not read. */
  | { readonly kind: 'wide' }
  /** All valid rows, then nothing for a minute. */
  | { readonly kind: 'stalling' }
  /** Enough rows for a stream to open, then nothing for a minute. */
  | { readonly kind: 'opening' }
  /** Nothing for a minute. */
  | { readonly kind: 'sleeping' };

interface Row {
  readonly id: number;
  readonly filler: string;
  readonly trap?: null;
}

export interface Format {
  readonly name: string;
  readonly accept: string;
  /** Bytes buffered until the server knows whether more follow. */
  readonly limit: number;
  /** Approximate bytes per row. */
  readonly rowBytes: number;
  /** If true, the first row is sent before the last one is computed, given a free stream permit. */
  readonly isLive: boolean;
  /** If true, rows that fail on conversion fail after the first bytes were sent. */
  readonly failsLate: boolean;
  /** Returns the request target; undefined if the format has no such response. */
  readonly targetOf: (slice: Slice) => string | undefined;
  readonly render: (slice: Slice) => Iterable<string>;
  /** Like `targetOf`, with a response header that the function sets. */
  readonly withHeader?: (slice: Slice, header: string) => string | undefined;
}

function rangeOf({ kind, ...slice }: Slice): readonly [first: number, last: number] {
  if ('first' in slice) return [slice.first, Math.min(slice.last, BAD_ROW - 1)];
  const last = { rows: 0, wide: WIDE_ROWS, stalling: GOOD_ROWS, opening: OPENING_ROWS, sleeping: 0 };
  return [1, last[kind]];
}

/** Yields the rows before the bad one. */
function* rowsOf(slice: Slice): Generator<Row> {
  const [first, last] = rangeOf(slice);
  for (let id = first; id <= last; id += 1)
    yield slice.kind === 'wide'
      ? { id, filler: String.fromCodePoint(97 + (id % 26)).repeat(WIDE_BYTES) }
      : { id, filler: String(id).padEnd(150, 'x'), trap: null };
}

function renderObject({ id, filler, trap }: Row): string {
  return JSON.stringify({ id, flag: true, filler, trap });
}

function* renderLines(slice: Slice): Generator<string> {
  for (const row of rowsOf(slice)) yield `${renderObject(row)}\n`;
}

function* renderArray(slice: Slice): Generator<string> {
  let separator = '[';
  for (const row of rowsOf(slice)) {
    yield separator + renderObject(row);
    separator = ', \n ';
  }
  yield separator === '[' ? '[]' : ']';
}

function* renderCsv(slice: Slice): Generator<string> {
  const [first, last] = rangeOf(slice);
  if (last < first) yield '\n';
  else yield slice.kind === 'wide' ? 'id,flag,filler' : 'id,flag,filler,trap';
  for (const { id, filler, trap } of rowsOf(slice)) yield `\n${id},t,${filler}${trap === null ? ',' : ''}`;
}

type Relation = Exclude<Slice, { readonly kind: 'rows' }>['kind'];

const FUNCTIONS: Readonly<Record<Relation, string>> = {
  wide: '/rpc/wide_rows',
  stalling: '/rpc/stalling_rows',
  opening: '/rpc/opening_rows',
  sleeping: '/rpc/sleeping_rows',
};

/** Selects rows by a filter that implies nothing about their number. */
function byKeys(slice: Slice): string {
  if (slice.kind === 'rows') return `/item?id=gte.${slice.first}&id=lte.${slice.last}&order=id`;
  return slice.kind === 'wide' ? '/wide?order=id' : `/${slice.kind}`;
}

/** The shortest page that does not count as short. */
const SHORTEST_PAGE = 1001;

/** Selects a page of the whole table. */
function byPlace(slice: Slice): string | undefined {
  if (slice.kind === 'wide') return byKeys(slice);
  if (slice.kind !== 'rows') return undefined;
  const count = slice.last - slice.first + 1;
  if (count < SHORTEST_PAGE && !isBad(slice)) return undefined;
  return `/item?order=id&offset=${slice.first - 1}&limit=${Math.max(SHORTEST_PAGE, count)}`;
}

/** Selects rows by a filter on a single value. */
function byFlag(slice: Slice): string {
  const target = byKeys(slice);
  return `${target}${target.includes('?') ? '&' : '?'}flag=eq.true`;
}

function byFunction(slice: Slice): string {
  if (slice.kind === 'rows') return `/rpc/items?low=${slice.first}&high=${slice.last}`;
  return FUNCTIONS[slice.kind];
}

function withHeader(slice: Slice, header: string): string | undefined {
  if (slice.kind !== 'rows') return undefined;
  return `/rpc/items_with?low=${slice.first}&high=${slice.last}&header=${header}`;
}

/** Returns the document that is as long as the slice, if any. */
function documentOf(slice: Slice): 1 | 2 | 3 | undefined {
  if (slice.kind === 'wide') return 3;
  if (slice.kind !== 'rows' || slice.last < slice.first) return undefined;
  return slice.last - slice.first < 1000 ? 1 : 2;
}

function isBad(slice: Slice): boolean {
  return slice.kind === 'rows' && slice.last >= BAD_ROW;
}

function oneObject(slice: Slice): string | undefined {
  if (isBad(slice)) return `/item?id=eq.${BAD_ROW}`;
  const id = documentOf(slice);
  return id && `/document?id=eq.${id}`;
}

function* renderDocument(slice: Slice): Generator<string> {
  const id = documentOf(slice) ?? 1;
  yield JSON.stringify({ id, filler: 'y'.repeat(DOCUMENTS[id - 1] ?? 0) });
}

function oneText(slice: Slice): string | undefined {
  if (slice.kind === 'sleeping') return '/rpc/text_of?size=0';
  if (isBad(slice)) return `/rpc/text_of?size=${BAD_ROW}`;
  const id = documentOf(slice);
  return id && `/rpc/text_of?size=${DOCUMENTS[id - 1]}`;
}

function* renderText(slice: Slice): Generator<string> {
  const size = DOCUMENTS[(documentOf(slice) ?? 1) - 1] ?? 0;
  yield JSON.stringify('ö'.repeat(size / 2));
}

const NDJSON = { accept: 'application/x-ndjson', limit: 65_536, rowBytes: 192, render: renderLines };
const ARRAY = { accept: 'application/json', limit: 524_288, rowBytes: 196, render: renderArray };
const CSV = { accept: 'text/csv', limit: 524_288, rowBytes: 159, render: renderCsv };
const VALUE = { limit: 1_048_576, isLive: false, failsLate: false };

export const FORMATS: readonly Format[] = [
  { name: 'NDJSON of a table', ...NDJSON, isLive: true, failsLate: true, targetOf: byKeys },
  { name: 'NDJSON of a function', ...NDJSON, isLive: true, failsLate: true, targetOf: byFunction, withHeader },
  { name: 'an array of a table', ...ARRAY, isLive: false, failsLate: true, targetOf: byPlace },
  { name: 'an array by a filter', ...ARRAY, isLive: false, failsLate: true, targetOf: byKeys },
  { name: 'CSV of a table', ...CSV, isLive: false, failsLate: true, targetOf: byKeys },
  { name: 'CSV of a function', ...CSV, isLive: false, failsLate: true, targetOf: byFunction, withHeader },
  { ...ARRAY, name: 'an array as one value', ...VALUE, targetOf: byFlag },
  { ...ARRAY, name: 'an array of a function', ...VALUE, targetOf: byFunction, withHeader },
  {
    ...ARRAY,
    name: 'one object',
    ...VALUE,
    accept: 'application/vnd.svc.object+json',
    targetOf: oneObject,
    render: renderDocument,
  },
  { ...ARRAY, name: 'a text of a function', ...VALUE, targetOf: oneText, render: renderText },
];

/** Renders the correct body, or at least `atLeast` bytes of it. */
export function renderBody({ render }: Format, slice: Slice, atLeast: number = Infinity): Buffer {
  const pieces: string[] = [];
  let size = 0;
  for (const piece of render(slice)) {
    pieces.push(piece);
    size += piece.length;
    if (size >= atLeast) break;
  }
  return Buffer.from(pieces.join(''));
}
