// The filters of a PUT: they name the one row that it creates or replaces (`writing.md` §6.1).
import type { Relation } from '../../catalog/schema-cache.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import { isPlainEquality } from '../levels/plain-equality.ts';

/** Exactly the primary-key columns, each once as plain `eq`, and nothing else. */
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
