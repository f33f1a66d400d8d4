// Finds the keys of a read that a change in the log concerns.
import type { RowChange } from '../log/log-changes.ts';
import type { KeyedRead } from '../plan/plan-live.ts';
import { renderKey } from './row-changes.ts';

/**
 * Returns the keys of the rows that must be read again; undefined if they are not known.
 *
 * @param isKnown whether a row with this key was sent, or is being read
 */
export function findTouchedKeys(
  changes: readonly RowChange[],
  keyed: KeyedRead,
  isKnown: (key: string) => boolean,
): readonly string[] | undefined {
  const names = keyed.key.map(({ name }) => name);
  const touched: string[] = [];
  for (const change of changes) {
    const keys = findKeys(change, names);
    if (keys === undefined) return undefined;
    if (mayMatch(change, keyed) || keys.some(isKnown)) touched.push(...keys);
  }
  return touched;
}

/** Returns the keys of the row before and after the change; undefined if the log does not contain them. */
export function findKeys({ columns, before, after }: RowChange, key: readonly string[]): readonly string[] | undefined {
  const keys: string[] = [];
  for (const row of [before, after]) {
    if (row === undefined) continue;
    const values = key.map((name) => row[columns.indexOf(name)]);
    const texts = values.filter((value) => typeof value === 'string');
    if (texts.length < key.length) return undefined;
    keys.push(renderKey(texts));
  }
  return keys;
}

/**
 * Whether the row may belong to the read now, according to an equality in the filters of the read. A value that the log
 * does not contain (generated, or long and unchanged) counts as a match.
 */
export function mayMatch({ columns, after }: RowChange, { equality }: KeyedRead): boolean {
  if (after === undefined) return false;
  if (equality === undefined) return true;
  const index = columns.indexOf(equality.column);
  const value = index < 0 ? undefined : after[index];
  return value === undefined || value === equality.value;
}
