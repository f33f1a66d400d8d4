import { fail, ok, type Result } from '../contract/result.ts';
import type { QualifiedName } from '../contract/identifiers.ts';
import type { ApiError } from '../errors/api-error.ts';
import { findRelation, type Relation, type SchemaCache } from '../catalog/schema-cache.ts';
import { suggest } from './suggest.ts';

const MINIMUM_SIMILARITY = 0.75;
/** In larger schemas no name is suggested (`reading.md` §17.1). */
const MOST_RELATIONS = 500;

export function findRelationOrFail(cache: SchemaCache, name: QualifiedName): Result<Relation, ApiError> {
  const relation = findRelation(cache, name);
  if (relation !== undefined) return ok(relation);
  const known = cache.relations.get(name.schema) ?? new Map<string, Relation>();
  const suggestion = known.size < MOST_RELATIONS ? suggest(known, name.name, MINIMUM_SIMILARITY) : undefined;
  return fail({ kind: 'relationNotFound', relation: name, suggestion });
}
