// Builds the graph of the map: relations with their columns, and the foreign keys between them.
import type { DescribedRelation, DescribedRelationship } from '../../../src/contract/schema-document.ts';
import { shortTypeName } from '../schema/short-type.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';

export interface MapColumn {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly isForeignKey: boolean;
}

export interface MapTable {
  readonly name: string;
  readonly kind: DescribedRelation['kind'];
  readonly comment: string | undefined;
  readonly columns: readonly MapColumn[];
  /** Whether it connects two tables of a many-to-many relationship. */
  readonly isJunction: boolean;
  /** Related relations of other schemas, which the map does not draw. */
  readonly elsewhere: readonly ElsewhereRelation[];
}

export interface ElsewhereRelation {
  readonly schema: string;
  readonly name: string;
}

/** A foreign key. Views inherit those of their tables. */
export interface MapReference {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Pairs of a column of `from` and one of `to`. */
  readonly columns: readonly (readonly [string, string])[];
  /** Whether at most one row references a row of `to`. */
  readonly isUnique: boolean;
  /** Whether a row may reference none. */
  readonly isOptional: boolean;
}

export interface SchemaGraph {
  readonly tables: readonly MapTable[];
  readonly references: readonly MapReference[];
}

export function buildSchemaGraph({ document, relations }: SchemaIndex): SchemaGraph {
  const references = new Map<string, MapReference>();
  for (const relation of document.relations) {
    for (const relationship of relation.relationships) {
      const reference = toReference(relation, relationship, relations);
      if (reference !== undefined && !references.has(reference.id)) references.set(reference.id, reference);
    }
  }
  const junctions = new Set(document.relations.flatMap((each) => each.relationships.map(({ junction }) => junction)));
  const all = [...references.values()];
  return { tables: document.relations.map((each) => toTable(each, all, junctions)), references: all };
}

export function isView({ kind }: Pick<MapTable, 'kind'>): boolean {
  return kind === 'view' || kind === 'materializedView';
}

/** Returns undefined if `relation` does not hold the key, or the map does not show the target. */
function toReference(
  relation: DescribedRelation,
  { kind, target: name, schema, columns, constraint = '' }: DescribedRelationship,
  relations: SchemaIndex['relations'],
): MapReference | undefined {
  const target = relations.get(name);
  if (schema !== undefined || target === undefined || columns.length === 0) return undefined;
  if (kind !== 'manyToOne' && !(kind === 'oneToOne' && holdsKey(relation, target, columns))) return undefined;
  const own = new Set(columns.map(([column]) => column));
  return {
    id: JSON.stringify([relation.name, name, constraint, ...columns]),
    from: relation.name,
    to: name,
    columns,
    isUnique: kind === 'oneToOne',
    isOptional: relation.columns.some((column) => own.has(column.name) && column.isNullable),
  };
}

/** Returns whether this side of a one-to-one relationship, which both sides list, holds the foreign key. */
function holdsKey(relation: DescribedRelation, target: DescribedRelation, columns: MapReference['columns']): boolean {
  const isTargetKey = isKey(
    target,
    columns.map(([, column]) => column),
  );
  const isOwnKey = isKey(
    relation,
    columns.map(([column]) => column),
  );
  return isTargetKey === isOwnKey ? relation.name >= target.name : isTargetKey;
}

function isKey({ key }: DescribedRelation, columns: readonly string[]): boolean {
  return key.length === columns.length && columns.every((column) => key.includes(column));
}

function toTable(
  { name, kind, comment, key, columns, relationships }: DescribedRelation,
  references: readonly MapReference[],
  junctions: ReadonlySet<string | undefined>,
): MapTable {
  const foreign = new Set(
    references.filter(({ from }) => from === name).flatMap((each) => each.columns.map(([own]) => own)),
  );
  return {
    name,
    kind,
    comment,
    isJunction: junctions.has(name),
    elsewhere: findElsewhere(relationships),
    columns: columns
      .filter(({ isComputed }) => !isComputed)
      .map((column) => ({
        name: column.name,
        type: shortTypeName(column.type.name),
        isKey: key.includes(column.name),
        isForeignKey: foreign.has(column.name),
      })),
  };
}

/** Returns distinct relations. */
function findElsewhere(relationships: readonly DescribedRelationship[]): readonly ElsewhereRelation[] {
  const found = relationships.flatMap(({ schema, target }) => (schema === undefined ? [] : [{ schema, name: target }]));
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}
