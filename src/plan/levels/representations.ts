// Finds the conversion functions of a domain, by direction (`writing.md` §11).
import type { Column, SchemaCache } from '../../catalog/schema-cache.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';

/** Domain → json, for output. */
export function findFormatter(cache: SchemaCache, column: Column): QualifiedName | undefined {
  return cache.representations.get(column.nominalType)?.get('json')?.routine;
}

/** Text → domain, for filter values. */
export function findParser(cache: SchemaCache, column: Column): QualifiedName | undefined {
  return cache.representations.get('text')?.get(column.nominalType)?.routine;
}

/** Json → domain, for payload values. */
export function findReader(cache: SchemaCache, column: Column): QualifiedName | undefined {
  return cache.representations.get('json')?.get(column.nominalType)?.routine;
}
