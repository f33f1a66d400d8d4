// Counts what a load found, for the log line of `operating.md` §10.5.
import { listBuiltInMediaTypes } from './media-handlers.ts';
import type { SchemaCache } from './schema-cache.ts';

export interface SchemaCacheSummary {
  readonly relations: number;
  /** Distinct pairs of origin relation and target schema. */
  readonly relationships: number;
  /** Distinct names: overloads count once. */
  readonly routines: number;
  readonly representations: number;
  /** Includes the built-in ones. */
  readonly mediaHandlers: number;
}

export function summarizeSchemaCache(cache: SchemaCache): SchemaCacheSummary {
  return {
    relations: countNested(cache.relations),
    relationships: countRelationshipGroups(cache),
    routines: countNested(cache.routines),
    representations: countNested(cache.representations),
    mediaHandlers: cache.mediaHandlers.length + listBuiltInMediaTypes(cache.mediaHandlers).length,
  };
}

function countNested(outer: ReadonlyMap<string, ReadonlyMap<string, unknown>>): number {
  let count = 0;
  for (const inner of outer.values()) count += inner.size;
  return count;
}

function countRelationshipGroups(cache: SchemaCache): number {
  let count = 0;
  for (const origins of cache.relationships.values()) {
    for (const candidates of origins.values()) count += new Set(candidates.map(({ target }) => target.schema)).size;
  }
  return count;
}
