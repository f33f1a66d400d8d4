// Decodes the operators that measure distances.
import { type CatalogRow, textsAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
import type { SchemaCache } from './schema-cache.ts';

/** @param rows those of `DATABASE_SQL` */
export function decodeDistances(rows: readonly CatalogRow[]): SchemaCache['distances'] {
  const distances = new Map<string, Map<string, string>>();
  for (const text of rows.flatMap((row) => textsAt(row, 2))) {
    const parsed: unknown = JSON.parse(text);
    const [operator = '', type = '', schema = ''] = Array.isArray(parsed) ? parsed.map(String) : [];
    getOrInsert(distances, operator, () => new Map<string, string>()).set(type, schema);
  }
  return distances;
}
