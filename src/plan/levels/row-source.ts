// Lists the columns that a statement must return so that its rows can be rendered: for RETURNING and for calls
// (`writing.md` §9.1, §14.5).
import type { Relationship } from '../../catalog/schema-cache.ts';
import { sortedNames } from '../../util/code-points.ts';
import type { AggregatePlan, Condition, EmbedPlan, FilterCondition, ReadPlan } from './read-plan.ts';

/**
 * `row`: every column of the relation, so that the row can be rebuilt as a value of its type and passed to computed
 * fields. `columns`: only these, computed columns included, distinct and in code-point order.
 */
export type RowSource = { readonly kind: 'row' } | { readonly kind: 'columns'; readonly names: readonly string[] };

/** @param extra names of columns needed besides those shown */
export function planRowSource(read: ReadPlan, extra: readonly string[]): RowSource {
  const hasStar = read.select.some(({ kind }) => kind === 'all');
  const isComputed = read.embeds.some(({ relationship }) => relationship.kind === 'computed');
  if (hasStar || isComputed || read.where.some(hasComputedRelationship)) return { kind: 'row' };
  const selected = read.select.flatMap((item) => (item.kind === 'column' ? [item.field.column] : []));
  return {
    kind: 'columns',
    names: sortedNames([...selected, ...extraColumns(read), ...extra, ...read.embeds.flatMap(columnsOfParent)]),
  };
}

/** A function of the row needs the whole row. */
function hasComputedRelationship(condition: Condition): boolean {
  if (condition.kind === 'group') return condition.members.some(hasComputedRelationship);
  return condition.kind === 'related' && condition.relationship.kind === 'computed';
}

/** Lists the columns of this level that an embed uses. */
function columnsOfParent({ relationship, read }: EmbedPlan): readonly string[] {
  return [...originColumns(relationship), ...comparedParentColumns([...read.where, ...read.having])];
}

function originColumns(relationship: Relationship): readonly string[] {
  switch (relationship.kind) {
    case 'computed':
      return [];
    case 'manyToMany':
      return relationship.originColumns.map(([origin]) => origin);
    case 'manyToOne':
    case 'oneToMany':
    case 'oneToOne':
      return relationship.columns.map(([origin]) => origin);
  }
}

export function filteredColumns(conditions: readonly Condition[]): readonly string[] {
  return conditions.flatMap((condition) => {
    switch (condition.kind) {
      case 'filter':
        return [condition.field.column, ...comparedColumns(condition, 'column')];
      case 'group':
        return filteredColumns(condition.members);
      case 'related':
        return [...originColumns(condition.relationship), ...comparedParentColumns([condition.member])];
      case 'having':
        return [...columnsOfTerm(condition.term), ...comparedColumns(condition, 'column')];
      case 'presence':
        return [];
    }
  });
}

/** Lists the columns that orders and conditions of groups aggregate, that orders score, and those of `distinct`. */
export function extraColumns({ order, having, distinct }: ReadPlan): readonly string[] {
  const ordered = order.flatMap((term) => {
    if (term.kind === 'aggregate') return columnsOfTerm(term.term);
    return term.kind === 'field' && term.field.score !== undefined ? [term.field.column] : [];
  });
  const listed = distinct?.kind === 'fields' ? distinct.fields.map(({ column }) => column) : [];
  return [...ordered, ...filteredColumns(having), ...listed];
}

function columnsOfTerm({ field }: AggregatePlan): readonly string[] {
  return field === undefined ? [] : [field.column];
}

/** Lists the columns of the row above that conditions compare with. */
export function comparedParentColumns(conditions: readonly Condition[]): readonly string[] {
  return conditions.flatMap((condition) => {
    switch (condition.kind) {
      case 'filter':
      case 'having':
        return comparedColumns(condition, 'parent');
      case 'group':
        return comparedParentColumns(condition.members);
      // Its parent is a row of this level.
      case 'related':
      case 'presence':
        return [];
    }
  });
}

function comparedColumns(
  { operation }: Pick<FilterCondition, 'operation'>,
  row: 'column' | 'parent',
): readonly string[] {
  return operation.kind === 'compareColumn' && operation.row === row ? [operation.field.column] : [];
}
