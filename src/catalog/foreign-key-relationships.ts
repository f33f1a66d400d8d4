// Infers many-to-one, one-to-many and one-to-one relationships from foreign keys and the relations that expose their
// columns (`operating.md` §5.4, §5.5). A table exposes its own columns; a view exposes those it passes through
// unchanged.
import { isSameName } from '../contract/identifiers.ts';
import type { ForeignKey } from './keys.ts';
import { appendTo } from './maps.ts';
import { type CatalogRelation, isView } from './relations.ts';
import type { ColumnPair, ForeignKeyRelationship, Relation } from './schema-cache.ts';
import { type Slices, visitInSlices } from '../util/slices.ts';

/** A relation that exposes columns of a base table, and the names it gives them. */
interface Exposure {
  readonly relation: Relation;
  readonly namesOf: (attribute: number) => readonly string[];
}

/** Keyed by the oid of the base table. */
export type Exposures = ReadonlyMap<string, readonly Exposure[]>;

/** A relation and its columns that can form one side of a key. */
interface Side {
  readonly relation: Relation;
  readonly columns: readonly string[];
}

export function* indexExposures(relations: readonly CatalogRelation[]): Slices<Exposures> {
  const exposures = new Map<string, Exposure[]>();
  yield* visitInSlices(relations, ({ oid, relation, columnNames, exposedColumns }) => {
    const nameOf = (attribute: number): readonly string[] => {
      const name = columnNames[attribute];
      return name === undefined ? [] : [name];
    };
    if (exposedColumns === undefined) appendTo(exposures, oid, { relation, namesOf: nameOf });
    for (const [table, columns] of exposedColumns ?? []) {
      appendTo(exposures, table, {
        relation,
        namesOf: (attribute) => (columns.get(attribute) ?? []).flatMap(nameOf),
      });
    }
  });
  return exposures;
}

/** Returns the relationships of a key from its referencing side: many-to-one, or one-to-one of the child. */
export function relateForeignKey(key: ForeignKey, exposures: Exposures): readonly ForeignKeyRelationship[] {
  const origins = chooseSides(exposures.get(key.table) ?? [], key.columns);
  if (origins.length === 0) return [];
  const targets = chooseSides(exposures.get(key.foreignTable) ?? [], key.foreignColumns);
  return origins.flatMap((origin) => targets.map((target) => relate(key, origin, target)));
}

/** Returns the same relationship seen from the referenced side. */
export function invertRelationship(relationship: ForeignKeyRelationship): ForeignKeyRelationship {
  const { origin, target, originIsView, targetIsView } = relationship;
  return {
    ...relationship,
    kind: relationship.kind === 'oneToOne' ? 'oneToOne' : 'oneToMany',
    origin: target,
    target: origin,
    originIsView: targetIsView,
    targetIsView: originIsView,
    columns: relationship.columns.map(([left, right]): ColumnPair => [right, left]),
    isParent: relationship.kind === 'oneToOne',
  };
}

/** Returns one side per combination if a relation exposes a column several times, and none if it lacks a column. */
function chooseSides(exposures: readonly Exposure[], attributes: readonly number[]): readonly Side[] {
  return exposures.flatMap(({ relation, namesOf }) =>
    attributes
      .reduce<readonly (readonly string[])[]>(
        (choices, attribute) => {
          const names = namesOf(attribute);
          return choices.flatMap((choice) => names.map((name) => choice.concat(name)));
        },
        [[]],
      )
      .map((columns) => ({ relation, columns })),
  );
}

function relate(key: ForeignKey, origin: Side, target: Side): ForeignKeyRelationship {
  return {
    kind: key.isUnique ? 'oneToOne' : 'manyToOne',
    origin: origin.relation.name,
    target: target.relation.name,
    isSelf: isSameName(origin.relation.name, target.relation.name),
    originIsView: isView(origin.relation),
    targetIsView: isView(target.relation),
    constraint: key.constraint,
    columns: origin.columns.map((column, index): ColumnPair => [column, target.columns[index] ?? '']),
    isParent: false,
  };
}
