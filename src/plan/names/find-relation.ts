import { fail, ok, type Result } from '../../contract/result.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { ApiError, NamedOrigin } from '../../errors/api-error.ts';
import { findRelation, type Relation, type SchemaCache } from '../../catalog/schema-cache.ts';
import { isRelationVisible, type Visible } from '../../catalog/visible-names.ts';
import { suggest } from '../../util/suggest.ts';

const MINIMUM_SIMILARITY = 0.75;
/** Larger schemas get no suggestions (`reading.md` §17.1). */
const MAX_RELATIONS = 500;

export function findRelationOrFail(
  name: QualifiedName,
  { cache, visible }: { readonly cache: SchemaCache; readonly visible: Visible },
): Result<Relation, ApiError> {
  const relation = findRelation(cache, name);
  if (relation !== undefined) return ok(relation);
  const { schema } = name;
  const known = cache.relations.get(schema) ?? new Map<string, Relation>();
  const isVisible = (other: string): boolean => isRelationVisible(visible, { schema, name: other });
  const suggestion =
    known.size < MAX_RELATIONS ? suggest(known, name.name, { minimum: MINIMUM_SIMILARITY, isVisible }) : undefined;
  return fail({ kind: 'relationNotFound', relation: name, suggestion });
}

/**
 * Decides by which name an error refers to a relation that the request did not name itself but reached through a
 * function or a referencing column.
 *
 * @param requested the name by which the request refers to the relation
 */
export function nameOrigin(relation: QualifiedName, requested: string, visible: Visible): NamedOrigin {
  const origin = isRelationVisible(visible, relation) ? relation.name : requested;
  return { origin, isOriginRequested: origin === requested };
}
