// Infers the many-to-many relationships through a junction from its many-to-one relationships (`operating.md` §5.4 item
// 5).
import { isSameName } from '../contract/identifiers.ts';
import type { ColumnPair, ForeignKeyRelationship, ManyToManyRelationship, Relation } from './schema-cache.ts';

export interface JunctionKey {
  /** Oid of the constraint. */
  readonly key: string;
  readonly relationship: ForeignKeyRelationship;
}

/**
 * Returns one relationship per ordered pair of different keys that lie completely within the junction's primary key.
 */
export function relateThroughJunction(
  junction: Relation,
  junctionKeys: readonly JunctionKey[],
): readonly ManyToManyRelationship[] {
  const primaryKey = new Set(junction.primaryKey);
  const usable = junctionKeys.filter(
    ({ relationship }) =>
      relationship.kind === 'manyToOne' && relationship.columns.every(([column]) => primaryKey.has(column)),
  );
  return usable.flatMap((origin) =>
    usable
      .filter((target) => target.key !== origin.key)
      .map((target) => relate(origin.relationship, target.relationship)),
  );
}

function relate(toOrigin: ForeignKeyRelationship, toTarget: ForeignKeyRelationship): ManyToManyRelationship {
  return {
    kind: 'manyToMany',
    origin: toOrigin.target,
    target: toTarget.target,
    isSelf: isSameName(toOrigin.target, toTarget.target),
    originIsView: toOrigin.targetIsView,
    targetIsView: toTarget.targetIsView,
    junction: toOrigin.origin,
    originConstraint: toOrigin.constraint,
    targetConstraint: toTarget.constraint,
    originColumns: toOrigin.columns.map(([own, origin]): ColumnPair => [origin, own]),
    targetColumns: toTarget.columns,
  };
}
