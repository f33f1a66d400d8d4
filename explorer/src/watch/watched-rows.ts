// The rows of a watched read, as text: applies events to them, and marks what appeared, changed or left.
import type { RowMark } from '../client/exchange.ts';
import { parseJson } from '../rows/json-value.ts';
import { textOf } from '../rows/row-links.ts';
import type { RowsEvent } from './rows-event.ts';

export interface WatchedRow {
  readonly key: string;
  readonly text: string;
  readonly mark: RowMark | undefined;
  /** When the mark was set, in milliseconds. */
  readonly since: number;
}

export interface Applied {
  readonly rows: readonly WatchedRow[];
  /** Number of rows that appeared, changed or left. */
  readonly changes: number;
}

export interface WatchContext {
  /** Columns of the primary key; without all of them in the rows, a row is identified by its text. */
  readonly key: readonly string[];
  readonly now: number;
}

export function readRows(texts: readonly string[], { key, now }: WatchContext): readonly WatchedRow[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const name = keyIn(text, key) ?? text;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return { key: count === 0 ? name : `${name} ${count}`, text, mark: undefined, since: now };
  });
}

/** Replaces the rows. Those that left stay behind the row they followed until their mark ends. */
export function replaceRows(shown: readonly WatchedRow[], texts: readonly string[], context: WatchContext): Applied {
  const before = new Map(shown.map((row) => [row.key, row]));
  const next = readRows(texts, context).map((row) => markFrom(before.get(row.key), row));
  const kept = new Set(next.map(({ key }) => key));
  const left = new Map<string | undefined, WatchedRow[]>();
  let previous: string | undefined;
  for (const row of shown) {
    if (kept.has(row.key)) previous = row.key;
    else left.set(previous, [...(left.get(previous) ?? []), leave(row, context.now)]);
  }
  const rows = [...(left.get(undefined) ?? []), ...next.flatMap((row) => [row].concat(left.get(row.key) ?? []))];
  return { rows, changes: countNew(rows, before) };
}

/** New rows come last. */
export function applyChange(
  shown: readonly WatchedRow[],
  change: Extract<RowsEvent, { kind: 'change' }>,
  context: WatchContext,
): Applied {
  const before = new Map(shown.map((row) => [row.key, row]));
  const rows = new Map(before);
  for (const text of change.delete) {
    const row = rows.get(keyIn(text, context.key) ?? text);
    if (row !== undefined) rows.set(row.key, leave(row, context.now));
  }
  for (const text of change.upsert) {
    const row = { key: keyIn(text, context.key) ?? text, text, mark: undefined, since: context.now };
    rows.set(row.key, markFrom(before.get(row.key), row));
  }
  const list = [...rows.values()];
  return { rows: list, changes: countNew(list, before) };
}

/** Ends the marks set up to `time`: rows that left are gone. */
export function endMarks(rows: readonly WatchedRow[], time: number): readonly WatchedRow[] {
  return rows.flatMap((row) => {
    if (row.mark === undefined || row.since > time) return [row];
    return row.mark === 'left' ? [] : [{ ...row, mark: undefined }];
  });
}

export function renderRows(rows: readonly WatchedRow[]): string {
  return `[${rows.map(({ text }) => text).join(',\n ')}]`;
}

export function marksOf(rows: readonly WatchedRow[]): ReadonlyMap<number, RowMark> {
  return new Map(rows.flatMap(({ mark }, index) => (mark === undefined ? [] : [[index, mark] as const])));
}

function markFrom(before: WatchedRow | undefined, row: WatchedRow): WatchedRow {
  if (before === undefined || before.mark === 'left') return { ...row, mark: 'new' };
  return before.text === row.text ? before : { ...row, mark: before.mark === 'new' ? 'new' : 'changed' };
}

function leave(row: WatchedRow, now: number): WatchedRow {
  return row.mark === 'left' ? row : { ...row, mark: 'left', since: now };
}

/** Unchanged rows are the same objects as before. */
function countNew(rows: readonly WatchedRow[], before: ReadonlyMap<string, WatchedRow>): number {
  return rows.filter((row) => before.get(row.key) !== row).length;
}

function keyIn(text: string, columns: readonly string[]): string | undefined {
  const value = parseJson(text);
  if (value?.kind !== 'object' || columns.length === 0) return undefined;
  const values = new Map(value.entries);
  const key = columns.flatMap((column) => {
    const one = values.get(column);
    return (one && textOf(one)) ?? [];
  });
  return key.length === columns.length ? JSON.stringify(key) : undefined;
}
