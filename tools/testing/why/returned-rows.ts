// The rows that a response contains, by which the rows below them are looked up.
import type { ReadPlan } from '../../../src/plan/levels/read-plan.ts';
import { isJsonObject } from '../../../src/util/json-object.ts';
import type { FoundRow } from './row-statements.ts';

/** @returns undefined if the response does not contain the key of each row */
export function findReturned(
  body: unknown,
  { select }: Pick<ReadPlan, 'select'>,
  key: readonly string[],
): readonly FoundRow[] | undefined {
  const rows = Array.isArray(body) ? body.filter(isJsonObject) : isJsonObject(body) ? [body] : undefined;
  if (rows === undefined || key.length === 0) return undefined;
  const found: FoundRow[] = [];
  for (const row of rows) {
    const values = key.map((column) => row[nameOf(column, select)]);
    if (values.some((value) => value === undefined)) return undefined;
    found.push({
      literal: '',
      key: values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    });
  }
  return found;
}

/** Returns the key of the column in the result. */
function nameOf(column: string, select: ReadPlan['select']): string {
  for (const item of select)
    if (item.kind === 'column' && item.field.column === column && item.field.path.length === 0) return item.key;
  return select.some(({ kind }) => kind === 'all') ? column : '';
}
