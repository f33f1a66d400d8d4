// Filters from the values of a column.
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import type { Field, Filter, LogicGroup, LogicNode, Operation } from '../../../src/request/query/query-params.ts';
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

/** Keeps only rows with one of these values, in place of other values of the column; none keeps all rows. */
export function keepAny(model: QueryModel, field: Field, { texts, hasNull }: ChosenValues): QueryModel {
  const base = withoutValues(model, field);
  const [first] = texts;
  if (first === undefined) return hasNull ? addFilter(base, field, IS_NULL) : base;
  const listed: Operation = texts.size === 1 ? compare('eq', first) : { kind: 'in', values: [...texts] };
  if (!hasNull) return addFilter(base, field, listed);
  const members = [IS_NULL, listed].map((operation): Filter => ({ kind: 'filter', field, negated: false, operation }));
  return addCondition(base, TOP, { kind: 'group', operator: 'or', negated: false, members });
}

/** Values of a column; null is apart, because no text stands for it. */
export interface ChosenValues {
  readonly texts: ReadonlySet<string>;
  readonly hasNull: boolean;
}

/** Returns the values that the filters of the column select. */
export function chosenValues({ params: { filters, logic } }: QueryModel, field: Field): ChosenValues {
  const single = filters.flatMap(({ path, value }) => (path.length === 0 ? [value] : []));
  const grouped = logic.flatMap(({ path, value }) =>
    path.length === 0 && isOfValues(value, field) ? value.members : [],
  );
  const selecting = [...single, ...grouped].filter((node) => selectsValues(node, field));
  const operations = selecting.map(({ operation }) => operation);
  return { texts: new Set(operations.flatMap(listTexts)), hasNull: operations.some((one) => isEqual(one, IS_NULL)) };
}

function listTexts(operation: Operation): readonly string[] {
  if (operation.kind === 'in') return operation.values;
  return operation.kind === 'compare' ? [operation.value] : [];
}

/** Removes the filters that select values of the column. */
export function withoutValues(model: QueryModel, field: Field): QueryModel {
  const logic = model.params.logic.filter(({ path, value }) => path.length > 0 || !isOfValues(value, field));
  return withoutFilters(changeParams(model, { logic }), field, isOfValue);
}

function isOfValue(operation: Operation): boolean {
  if (operation.kind === 'compare') return operation.operator === 'eq' && operation.quantifier === undefined;
  return operation.kind === 'is' || operation.kind === 'in';
}

function selectsValues(node: LogicNode, field: Field): node is Filter {
  return node.kind === 'filter' && !node.negated && isEqual(node.field, field) && isOfValue(node.operation);
}

/** Whether the group is one of `keepAny`. */
function isOfValues({ operator, negated, members }: LogicGroup, field: Field): boolean {
  return operator === 'or' && !negated && members.every((member) => selectsValues(member, field));
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
