// Renders the entry of a relation under `Tables` or `Views`: rows as they are read, inserted and updated, and foreign
// keys.
import {
  type Column,
  type ComputedRelationship,
  findRelation,
  findRelationships,
  type ForeignKeyRelationship,
  type Relation,
  type Relationship,
} from '../../src/catalog/schema-cache.ts';
import { renderNullableType, renderType, type TypegenContext } from './render-type.ts';
import { isSameName } from '../../src/contract/identifiers.ts';
import { compareCodePoints } from '../../src/util/code-points.ts';
import type { ColumnFacts, RowFunction } from './typegen-facts.ts';
import { allowNull, renderLiteral, renderObject, renderTuple, type Member } from './typescript.ts';

interface KnownColumn {
  readonly column: Column;
  readonly facts: ColumnFacts;
}

/** Foreign tables that accept no rows are listed as views. */
export function isListedAsTable({ kind, isInsertable, isUpdatable }: Relation): boolean {
  if (kind === 'foreignTable') return isInsertable && isUpdatable;
  return kind === 'table' || kind === 'partitionedTable';
}

export function renderRelation(relation: Relation, context: TypegenContext): string {
  const columns = listColumns(relation, context);
  const { isInsertable, isUpdatable } = relation;
  return renderObject([
    { name: 'Row', type: renderRow(relation, columns, context) },
    ...(isInsertable ? [{ name: 'Insert', type: renderInsert(relation, columns, context) }] : []),
    ...(isUpdatable ? [{ name: 'Update', type: renderUpdate(columns, context) }] : []),
    { name: 'Relationships', type: renderRelationships(relation, context) },
  ]);
}

/**
 * Sorts by name, because a database whose columns were added later has another order than a new one of the same files.
 * Omits columns that were added or dropped between the two catalog reads.
 */
function listColumns({ name, columns }: Relation, { facts }: TypegenContext): readonly KnownColumn[] {
  const known = facts.columns.get(name.schema)?.get(name.name);
  return [...columns.values()]
    .flatMap((column) => {
      const found = known?.get(column.name);
      return found === undefined ? [] : [{ column, facts: found }];
    })
    .sort((left, right) => compareCodePoints(left.column.name, right.column.name));
}

function renderRow(relation: Relation, columns: readonly KnownColumn[], context: TypegenContext): string {
  const stored = columns.map(({ column, facts }): Member => {
    const type = renderType(facts.type, 'output', context);
    return { name: column.name, type: facts.isNotNull ? type : allowNull(type), comment: column.comment };
  });
  const computed = listComputedFields(relation, context).map((field): Member => ({
    name: field.name.name,
    type: renderNullableType(field.resultType, 'output', context),
    comment: field.comment,
  }));
  return renderObject([...stored, ...computed]);
}

/** Triggers or table defaults may fill the columns of a view, so none is required. */
function renderInsert(relation: Relation, columns: readonly KnownColumn[], context: TypegenContext): string {
  return renderObject(
    columns.map(({ column, facts }) => {
      const isRequired = isListedAsTable(relation) && !column.isNullable && column.defaultExpression === undefined;
      return renderWritten({ column, facts }, isRequired, context);
    }),
  );
}

function renderUpdate(columns: readonly KnownColumn[], context: TypegenContext): string {
  return renderObject(columns.map((column) => renderWritten(column, false, context)));
}

function renderWritten({ column, facts }: KnownColumn, isRequired: boolean, context: TypegenContext): Member {
  const { name, comment } = column;
  if (column.isGenerated || !facts.isWritable) return { name, type: 'never', isOptional: true, comment };
  const type = renderType(facts.type, 'input', context);
  const isNotNull = facts.isNotNull || !column.isNullable;
  return { name, type: isNotNull ? type : allowNull(type), isOptional: !isRequired, comment };
}

/** Only foreign keys within the schema, because requests cannot embed across schemas. */
function renderRelationships({ name }: Relation, { cache }: TypegenContext): string {
  const keys = findRelationships(cache, name).filter(isOwnKey);
  return renderTuple(
    keys
      .filter(({ target }) => target.schema === name.schema)
      .map((key) =>
        renderObject([
          { name: 'foreignKeyName', type: renderLiteral(key.constraint) },
          { name: 'columns', type: renderNames(key.columns.map(([own]) => own)) },
          { name: 'isOneToOne', type: String(key.kind === 'oneToOne') },
          { name: 'referencedRelation', type: renderLiteral(key.target.name) },
          { name: 'referencedColumns', type: renderNames(key.columns.map(([, referenced]) => referenced)) },
        ]),
      ),
  );
}

function isOwnKey(relationship: Relationship): relationship is ForeignKeyRelationship {
  return relationship.kind === 'manyToOne' || (relationship.kind === 'oneToOne' && !relationship.isParent);
}

function renderNames(names: readonly string[]): string {
  return `[${names.map(renderLiteral).join(', ')}]`;
}

/**
 * Finds functions of a row: computed relationships, and computed fields, which queries select by name like columns. A
 * column takes precedence over a function of the same name.
 */
export function listComputedFields(relation: Relation, context: TypegenContext): readonly RowFunction[] {
  return context.facts.rowFunctions.filter((candidate) => {
    const { name, relation: argument } = candidate;
    return isSameName({ schema: name.schema, name: argument }, relation.name) && isComputedField(candidate, context);
  });
}

export function isComputedField(candidate: RowFunction, context: TypegenContext): boolean {
  const relation = findRelation(context.cache, { schema: candidate.name.schema, name: candidate.relation });
  return (
    relation?.columns.has(candidate.name.name) === false &&
    !candidate.isSet &&
    findComputedRelationship(candidate, context) === undefined
  );
}

export function findComputedRelationship(
  { name, relation }: RowFunction,
  { cache }: TypegenContext,
): ComputedRelationship | undefined {
  return findRelationships(cache, { schema: name.schema, name: relation }).find(
    (candidate): candidate is ComputedRelationship =>
      candidate.kind === 'computed' && isSameName(candidate.routine, name),
  );
}
