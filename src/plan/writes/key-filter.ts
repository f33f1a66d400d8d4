// Checks the filters of a PUT, which must identify the one row to create or replace (`writing.md` §6.1).
import type { Relation } from '../../catalog/schema-cache.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import { isPlainEquality } from '../levels/plain-equality.ts';

/** Whether the filters are one plain `eq` per primary-key column and nothing else. */
export function isKeyFilter({ query }: ApiRequest, { primaryKey }: Relation): boolean {
  const columns = new Set(query.filters.map(({ value }) => value.field.column));
  return (
    primaryKey.length > 0 &&
    query.logic.length === 0 &&
    query.filters.length === primaryKey.length &&
    query.filters.every(({ path, value }) => path.length === 0 && isPlainEquality(value)) &&
    primaryKey.every((column) => columns.has(column))
  );
}
