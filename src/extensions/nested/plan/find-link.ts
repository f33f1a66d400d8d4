// Finds the relationship that a key of the body names, as `select` would, or why it cannot be written through.
import { findRelation, type Relation } from '../../../catalog/schema-cache.ts';
import { isRelationVisible } from '../../../catalog/visible-names.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { hasRelationship, isToOne, resolveRelationship } from '../../../plan/levels/resolve-relationship.ts';
import type { PlanContext } from '../../../plan/actions/plan-context.ts';
import type { LinkedRelation } from './level.ts';

export interface LinkContext extends Pick<PlanContext, 'cache' | 'visible'> {
  readonly schema: string;
}

/**
 * @param key the name of a relation, constraint or column, with a hint if it is ambiguous: `items!fk`
 * @returns the reason if rows cannot be nested under the key
 */
export function findLink(origin: Relation, key: string, context: LinkContext): Result<LinkedRelation, string> {
  const [target = '', hint] = key.split(/!(.*)/su);
  const request = { ...context, origin: origin.name, requested: origin.name.name, target, hint };
  // Looking for suggestions would take long for a body with many unknown keys.
  if (!hasRelationship(request)) return fail('This key is neither a column nor a relationship');
  const found = resolveRelationship(request);
  if (!found.ok)
    return found.error.kind === 'relationshipAmbiguous'
      ? fail('Several relationships have this name; name one with a hint, as in select')
      : fail('This key is neither a column nor a relationship');
  const relationship = found.value;
  if (relationship.kind === 'computed') return fail('Rows of a computed relationship cannot be written');
  const relation = findRelation(context.cache, relationship.target);
  if (relation === undefined || !hasKnownKey(relation)) return fail(WITHOUT_KEY);
  if (relationship.kind === 'manyToMany') {
    const junction = findRelation(context.cache, relationship.junction);
    if (junction === undefined || !isRelationVisible(context.visible, junction.name))
      return fail('The relation that links the rows is not available');
    const linked = [
      ...relationship.originColumns.map(([, own]) => own),
      ...relationship.targetColumns.map(([own]) => own),
    ];
    if (!canBeLinked(junction, linked)) return fail('The relation that links the rows requires further columns');
    return ok({ relation, link: { placement: 'junction', isArray: true, relationship, junction } });
  }
  const isReferred = relationship.kind === 'manyToOne' || (relationship.kind === 'oneToOne' && !relationship.isParent);
  const placement = isReferred ? 'before' : 'after';
  return ok({ relation, link: { placement, isArray: !isToOne(relationship), relationship } });
}

export const WITHOUT_KEY = 'Rows without a known key cannot be written with related rows';

/** Whether rows can be found again after they are written. */
export function hasKnownKey({ kind, primaryKey }: Relation): boolean {
  return primaryKey.length > 0 || (kind !== 'view' && kind !== 'materializedView');
}

function canBeLinked({ columns }: Relation, linked: readonly string[]): boolean {
  const isOptional = (name: string): boolean => {
    const column = columns.get(name);
    return column === undefined || column.isNullable || column.isGenerated || column.defaultExpression !== undefined;
  };
  return [...columns.keys()].every((name) => linked.includes(name) || isOptional(name));
}
