// Builds all relationships of the cache from relations, foreign keys and row functions, by origin and in candidate
// order.
import { isSameName, type QualifiedName } from '../contract/identifiers.ts';
import { assertNever } from '../contract/result.ts';
import type { ForeignKey } from './keys.ts';
import { appendTo, groupByName } from './maps.ts';
import { type CatalogRelation, isView } from './relations.ts';
import type {
  BySchema,
  ColumnPair,
  ComputedRelationship,
  ForeignKeyRelationship,
  ManyToManyRelationship,
  Relation,
  Relationship,
} from './schema-cache.ts';
import { compareCodePoints } from '../util/code-points.ts';
import { flatMapInSlices, type Slices, visitInSlices } from '../util/slices.ts';

export interface RelationshipSources {
  readonly relations: readonly CatalogRelation[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly computed: readonly ComputedRelationship[];
}

export function* buildRelationships(sources: RelationshipSources): Slices<BySchema<readonly Relationship[]>> {
  const detected = yield* detectRelationships(sources);
  const computedPairs = new Set(sources.computed.map(({ origin, routine }) => identifyPair(origin, routine)));
  const kept = yield* flatMapInSlices(detected, (relationship) =>
    computedPairs.has(identifyPair(relationship.origin, relationship.target)) ? [] : [relationship],
  );
  const byOrigin = yield* groupByName([...kept, ...sources.computed], ({ origin }) => origin);
  for (const origins of byOrigin.values()) {
    yield* visitInSlices(origins, ([name, candidates]) => {
      origins.set(name, sortCandidates(candidates));
    });
  }
  return byOrigin;
}

function* detectRelationships(sources: RelationshipSources): Slices<readonly Relationship[]> {
  const exposures = yield* indexExposures(sources.relations);
  const referencing = yield* flatMapInSlices(sources.foreignKeys, (key) =>
    relateForeignKey(key, exposures).map((relationship): JunctionKey => ({ key: key.oid, relationship })),
  );
  const direct = yield* flatMapInSlices(referencing, ({ relationship }) => [
    relationship,
    invertRelationship(relationship),
  ]);
  const byJunction = yield* groupByName(referencing, ({ relationship }) => relationship.origin);
  const indirect = yield* flatMapInSlices(sources.relations, ({ relation }) =>
    relateThroughJunction(relation, byJunction.get(relation.name.schema)?.get(relation.name.name) ?? []),
  );
  return [...direct, ...indirect];
}

function identifyPair(origin: QualifiedName, target: QualifiedName): string {
  return JSON.stringify([origin.schema, origin.name, target.schema, target.name]);
}

/** A relation that exposes columns of a base table, and the names it gives them. */
interface Exposure {
  readonly relation: Relation;
  readonly namesOf: (attribute: number) => readonly string[];
}

/** Keyed by the oid of the base table. */
type Exposures = ReadonlyMap<string, readonly Exposure[]>;

/** A relation and its columns that can form one side of a key. */
interface Side {
  readonly relation: Relation;
  readonly columns: readonly string[];
}

/**
 * Infers many-to-one, one-to-many and one-to-one relationships from foreign keys and the relations that expose their
 * columns (`operating.md` §5.4, §5.5). A table exposes its own columns; a view exposes those it passes through
 * unchanged.
 */
function* indexExposures(relations: readonly CatalogRelation[]): Slices<Exposures> {
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
function relateForeignKey(key: ForeignKey, exposures: Exposures): readonly ForeignKeyRelationship[] {
  const origins = chooseSides(exposures.get(key.table) ?? [], key.columns);
  if (origins.length === 0) return [];
  const targets = chooseSides(exposures.get(key.foreignTable) ?? [], key.foreignColumns);
  return origins.flatMap((origin) => targets.map((target) => relate(key, origin, target)));
}

/** Returns the same relationship seen from the referenced side. */
function invertRelationship(relationship: ForeignKeyRelationship): ForeignKeyRelationship {
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

interface JunctionKey {
  /** Oid of the constraint. */
  readonly key: string;
  readonly relationship: ForeignKeyRelationship;
}

/**
 * Infers the many-to-many relationships through a junction from its many-to-one relationships (`operating.md` §5.4
 * item 5). Returns one relationship per ordered pair of different keys that lie completely within the junction's
 * primary key.
 */
function relateThroughJunction(
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
      .map((target) => relateEnds(origin.relationship, target.relationship)),
  );
}

function relateEnds(toOrigin: ForeignKeyRelationship, toTarget: ForeignKeyRelationship): ManyToManyRelationship {
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

const KIND_RANK: Readonly<Record<Relationship['kind'], string>> = {
  oneToMany: '0',
  manyToOne: '1',
  oneToOne: '2',
  manyToMany: '3',
  computed: '4',
};

/**
 * Sorts the relationships of one origin in the order in which they are tried and listed (`reading.md` §11.1 item 5).
 */
export function sortCandidates<T extends Relationship>(relationships: readonly T[]): T[] {
  return relationships
    .map((relationship) => ({ relationship, key: sortKeyOf(relationship) }))
    .sort((left, right) => compareKeys(left.key, right.key))
    .map(({ relationship }) => relationship);
}

function compareKeys(left: readonly string[], right: readonly string[]): number {
  for (const [index, part] of left.entries()) {
    const order = compareCodePoints(part, right[index] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function sortKeyOf(relationship: Relationship): readonly string[] {
  const { target, isSelf, kind } = relationship;
  return [target.schema, target.name, isSelf ? '1' : '0', KIND_RANK[kind], ...ownSortKeyOf(relationship)];
}

function ownSortKeyOf(relationship: Relationship): readonly string[] {
  switch (relationship.kind) {
    case 'manyToMany':
      return [
        relationship.junction.schema,
        relationship.junction.name,
        relationship.originConstraint,
        relationship.targetConstraint,
        ...flattenPairs(relationship.originColumns),
        ...flattenPairs(relationship.targetColumns),
      ];
    case 'computed':
      return [relationship.routine.schema, relationship.routine.name];
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return [relationship.constraint, ...flattenPairs(relationship.columns)];
    default:
      return assertNever(relationship);
  }
}

function flattenPairs(pairs: readonly ColumnPair[]): readonly string[] {
  return pairs.flat();
}
