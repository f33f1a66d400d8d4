// Plans `distinct`: its order, and what it cannot be combined with (`beyond.md` §1.1).
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { planField } from './plan-score.ts';
import type { Distinct, Field, OrderTerm } from '../../request/query/query-params.ts';
import { isGrouping } from './check-levels.ts';
import type { FieldContext } from './plan-condition.ts';
import type { DistinctPlan } from './read-plan.ts';
import { findFormatter } from './representations.ts';
import type { ResolvedLevel } from './resolve-levels.ts';

/** Checks the level and those below it. */
export function checkDistinctLevels(level: ResolvedLevel, cache: SchemaCache): ApiError | undefined {
  const found = checkDistinct(level, cache);
  if (found !== undefined) return found;
  for (const embed of level.embeds) {
    const below = checkDistinctLevels(embed.level, cache);
    if (below !== undefined) return below;
  }
  return undefined;
}

function checkDistinct(level: ResolvedLevel, cache: SchemaCache): ApiError | undefined {
  const { distinct, order } = level.source;
  if (distinct === undefined) return undefined;
  const name = `distinct=${distinct.kind === 'rows' ? '*' : distinct.fields.map(printField).join(',')}`;
  if (isGrouping(level)) return refuse(`${name} and aggregates exclude each other on one level.`);
  if (distinct.kind === 'fields') return undefined;
  const term = order.find((one) => !isSelected(one, level, cache));
  return term && refuse(`${name} with order=${printTerm(term)} needs that column in select.`);
}

function refuse(feature: string): ApiError {
  return { kind: 'notImplemented', feature };
}

/** Whether the term is an output of the level: PostgreSQL can order different rows only by those. */
function isSelected(term: OrderTerm, { source, relation }: ResolvedLevel, cache: SchemaCache): boolean {
  const { field } = term;
  const column = relation.columns.get(field.column);
  const isFormatted = column !== undefined && findFormatter(cache, column) !== undefined;
  if (term.relation !== undefined || isFormatted) return false;
  return source.items.some((item) => {
    if (item.kind === 'all') return column !== undefined && field.path.length === 0 && term.cast === undefined;
    return item.kind === 'column' && item.cast === term.cast && isSameField(item.field, field);
  });
}

/** The listed columns lead: those that the order begins with, then the others with the directions that it gives them. */
export function orderDistinctly(order: readonly OrderTerm[], distinct: Distinct | undefined): readonly OrderTerm[] {
  if (distinct?.kind !== 'fields') return order;
  const find = (field: Field, terms: readonly OrderTerm[]): OrderTerm | undefined =>
    terms.find((term) => term.relation === undefined && term.cast === undefined && isSameField(term.field, field));
  const isListed = (term: OrderTerm): boolean => distinct.fields.some((field) => find(field, [term]) !== undefined);
  const end = order.findIndex((term) => !isListed(term));
  const start = end === -1 ? order : order.slice(0, end);
  const missing = distinct.fields.filter((field) => find(field, start) === undefined);
  const added = missing.map(
    (field) => find(field, order) ?? { relation: undefined, field, direction: undefined, nulls: undefined },
  );
  return [...start, ...added, ...order.filter((term) => !isListed(term))];
}

export function planDistinct(distinct: Distinct | undefined, { relation }: FieldContext): DistinctPlan | undefined {
  if (distinct?.kind !== 'fields') return distinct;
  const fields = distinct.fields.map((field) => planField(field, relation.columns.get(field.column)));
  return { kind: 'fields', fields };
}

function isSameField(first: Field, second: Field): boolean {
  return first.column === second.column && JSON.stringify(first.path) === JSON.stringify(second.path);
}

function printTerm({ relation, field, cast }: OrderTerm): string {
  const shown = cast === undefined ? printField(field) : `${printField(field)}::${cast}`;
  return relation === undefined ? shown : `${relation}(${shown})`;
}

function printField({ column, path }: Field): string {
  const steps = path.map(({ arrow, operand }) => arrow + (operand.kind === 'key' ? operand.name : operand.digits));
  return column + steps.join('');
}
