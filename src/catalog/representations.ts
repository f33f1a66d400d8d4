// Decodes rows of the statement `representations` into conversion functions by source and target type (`writing.md`
// §11).
import { type CatalogRow, textAt } from './catalog-rows.ts';
import { getOrInsert } from './maps.ts';
import type { Representation, SchemaCache } from './schema-cache.ts';

export function decodeRepresentations(rows: readonly CatalogRow[]): SchemaCache['representations'] {
  const bySource = new Map<string, Map<string, Representation>>();
  for (const row of rows) {
    const source = textAt(row, 0);
    const target = textAt(row, 1);
    const routine = { schema: textAt(row, 2), name: textAt(row, 3) };
    getOrInsert(bySource, source, () => new Map<string, Representation>()).set(target, { source, target, routine });
  }
  return bySource;
}
