// Filters from the values of a column.
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import type { Field, Filter, Operation } from '../../../src/request/query/query-params.ts';
import type { JsonValue } from '../rows/json-value.ts';
import { textOf } from '../rows/row-links.ts';
import { addCondition } from '../url-state/edit-conditions.ts';
import { changeParams } from '../url-state/levels.ts';
import type { QueryModel } from '../url-state/query-model.ts';

const TOP = { path: [], indexes: [] } as const;

export type Comparison = 'eq' | 'neq' | 'gt' | 'lt' | 'gte' | 'lte';

export function compare(operator: Comparison, value: string): Operation {
  return { kind: 'compare', operator, quantifier: undefined, value };
}

export const IS_NULL: Operation = { kind: 'is', value: 'null' };

/** Returns the operation that finds a value; undefined if none does. */
export function equals(value: JsonValue): Operation | undefined {
  if (value.kind === 'null') return IS_NULL;
  const text = textOf(value);
  return text === undefined ? undefined : compare('eq', text);
}

/** Keeps only rows with this value, in place of other values of the column. */
export function keepOnly(model: QueryModel, field: Field, operation: Operation): QueryModel {
  return addFilter(withoutValues(model, field), field, operation);
}

export function addFilter(model: QueryModel, field: Field, operation: Operation, negated = false): QueryModel {
  const filter: Filter = { kind: 'filter', field, negated, operation };
  const isThere = model.params.filters.some(({ path, value }) => path.length === 0 && isEqual(value, filter));
  return isThere ? model : addCondition(model, TOP, filter);
}

/** Keeps only rows between the bounds, in place of other bounds; an empty bound is open. */
export function keepBetween(model: QueryModel, field: Field, [from, to]: readonly [string, string]): QueryModel {
  const open = withoutFilters(
    model,
    field,
    (operation) => operation.kind === 'compare' && BOUNDS.has(operation.operator),
  );
  const left = from === '' ? open : addFilter(open, field, compare('gte', from));
  return to === '' ? left : addFilter(left, field, compare('lte', to));
}

const BOUNDS: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte']);

/** Removes the filters that select values of the column. */
export function withoutValues(model: QueryModel, field: Field): QueryModel {
  return withoutFilters(model, field, (operation) => {
    return operation.kind === 'is' || (operation.kind === 'compare' && operation.operator === 'eq');
  });
}

function withoutFilters(model: QueryModel, field: Field, isRemoved: (operation: Operation) => boolean): QueryModel {
  const filters = model.params.filters.filter(({ path, value }) => {
    return path.length > 0 || value.negated || !isEqual(value.field, field) || !isRemoved(value.operation);
  });
  return changeParams(model, { filters });
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const UNORDERED = new Set(['boolean', 'json', 'composite', 'geometry', 'fullText', 'binary', 'other']);

/** Returns whether values can be compared by size; an unknown type is assumed to be comparable. */
export function isOrdered(type: DescribedType | undefined): boolean {
  return type === undefined || (!type.isArray && !UNORDERED.has(type.category));
}

const MEASURED = new Set(['number', 'date', 'timestamp', 'time']);

/** Returns whether a range of values makes sense. */
export function isMeasured(type: DescribedType | undefined): boolean {
  return type !== undefined && !type.isArray && MEASURED.has(type.category);
}
