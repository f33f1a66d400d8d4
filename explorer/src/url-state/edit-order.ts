// Edits of the order of a level. A term is addressed by its level and its index among the terms of that level.
import type { Field, OrderTerm } from '../../../src/request/query/query-params.ts';
import type { ItemAddress } from './edit-columns.ts';
import { startFromFirstRow } from './edit-ranges.ts';
import { changeParams, type EmbedPath, replaceAt, valueAt } from './levels.ts';
import type { QueryModel } from './query-model.ts';

export interface OrderTarget {
  readonly field: Field;
  /** Name of the to-one embed that has the column. */
  readonly relation?: string | undefined;
  /** Whether to keep other terms, before this one. */
  readonly keepsOthers?: boolean | undefined;
}

export function orderAt({ params }: QueryModel, path: EmbedPath): readonly OrderTerm[] {
  return valueAt(params.orders, path) ?? [];
}

/** Returns the term for a column, if any. */
export function findOrder(model: QueryModel, path: EmbedPath, target: OrderTarget): OrderTerm | undefined {
  return orderAt(model, path).find((term) => isTermOf(term, target));
}

/** Returns whether the order is that of the primary key, after which further terms have no effect. */
export function isKeyOrder(terms: readonly OrderTerm[], key: readonly string[] = []): boolean {
  const isPlain = terms.every(
    ({ relation, field, aggregate, direction }) =>
      relation === undefined && aggregate === undefined && field.path.length === 0 && direction === undefined,
  );
  return terms.length > 0 && isPlain && terms.map(({ field }) => field.column).join('\n') === key.join('\n');
}

/** Cycles the order of a column: ascending, descending, none. */
export function toggleOrder(model: QueryModel, path: EmbedPath, target: OrderTarget): QueryModel {
  const terms = orderAt(model, path);
  const term = terms.find((one) => isTermOf(one, target));
  const next = toggleTerm(term, target);
  if (target.keepsOthers !== true) return setOrder(model, path, next);
  if (term === undefined) return setOrder(model, path, [...terms, ...next]);
  return setOrder(
    model,
    path,
    terms.flatMap((one) => (one === term ? next : [one])),
  );
}

/** Replaces the order of a level and resets its offset. Pass `[]` to remove it. */
export function setOrder(model: QueryModel, path: EmbedPath, terms: readonly OrderTerm[]): QueryModel {
  const orders = replaceAt(model.params.orders, path, terms.length === 0 ? [] : [terms]);
  return startFromFirstRow(changeParams(model, { orders }), path);
}

/** Sets the position of nulls. Without it, they are last in ascending and first in descending order. */
export function setNulls(model: QueryModel, { path, index }: ItemAddress, nulls: OrderTerm['nulls']): QueryModel {
  const terms = orderAt(model, path);
  const term = terms[index];
  return term === undefined ? model : setOrder(model, path, terms.with(index, { ...term, nulls }));
}

export function removeOrder(model: QueryModel, { path, index }: ItemAddress): QueryModel {
  return setOrder(
    model,
    path,
    orderAt(model, path).filter((_, at) => at !== index),
  );
}

function toggleTerm(term: OrderTerm | undefined, { field, relation }: OrderTarget): readonly OrderTerm[] {
  if (term === undefined) return [{ relation, field, direction: 'asc', nulls: undefined }];
  return term.direction === 'desc' ? [] : [{ ...term, direction: 'desc' }];
}

function isTermOf(term: OrderTerm, { field, relation }: OrderTarget): boolean {
  return (
    term.aggregate === undefined && term.relation === relation && JSON.stringify(term.field) === JSON.stringify(field)
  );
}
