// Checks whether conditions identify rows by their primary key.
import type { Relation } from '../../catalog/schema-cache.ts';
import { isPlainEquality } from './plain-equality.ts';
import type { Condition } from './read-plan.ts';

/** Whether the conditions compare each column of the key to a value; there may be others. */
export function filtersByKey(where: readonly Condition[], key: readonly string[]): boolean {
  const isFixed = (column: string): boolean =>
    where.some((one) => one.kind === 'filter' && one.field.column === column && isPlainEquality(one));
  return key.length > 0 && key.every(isFixed);
}

/** Whether the conditions are the whole key of one row of a table and nothing else. */
export function isRowKey(
  where: readonly Condition[],
  { kind, primaryKey, hasInheritors }: Pick<Relation, 'kind' | 'primaryKey' | 'hasInheritors'>,
): boolean {
  const hasKey = (kind === 'table' || kind === 'partitionedTable') && !hasInheritors;
  return hasKey && where.length === primaryKey.length && filtersByKey(where, primaryKey);
}
