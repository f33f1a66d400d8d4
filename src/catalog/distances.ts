// Decodes the operators that measure distances.
import { type CatalogRow, textsAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
import type { DistanceOperator, SchemaCache } from './schema-cache.ts';

/** @param rows those of `DATABASE_SQL` */
export function decodeDistances(rows: readonly CatalogRow[]): SchemaCache['distances'] {
  const distances = new Map<string, Map<string, DistanceOperator>>();
  for (const text of rows.flatMap((row) => textsAt(row, 2))) {
    const parsed: unknown = JSON.parse(text);
    const [operator = '', declared = '', schema = '', type = ''] = Array.isArray(parsed) ? parsed.map(String) : [];
    getOrInsert(distances, operator, () => new Map<string, DistanceOperator>()).set(declared, { schema, type });
  }
  return distances;
}
