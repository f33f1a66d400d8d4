// Shared code for both client libraries: method calls as data, and texts that they pass on unchanged.
import type { Addressed, Filter, LimitOffset, LogicGroup, OrderTerm } from '../../../src/request/query/query-params.ts';
import type { JsonValue } from '../rows/json-value.ts';
import type { ModelParams, QueryModel } from '../url-state/query-model.ts';
import { renderFilterValue, renderMembers, renderOrder } from '../../../src/request/query/render-query.ts';
import { renderFilterField, renderPath } from '../../../src/request/query/render-names.ts';

export type Literal =
  | Scalar
  | readonly Scalar[]
  | ReadonlyMap<string, Scalar | readonly Scalar[]>
  | { readonly json: JsonValue };
export type Scalar = string | number | boolean | null;

/** `.order('built', { ascending: false })` */
export interface Call {
  readonly name: string;
  readonly args: readonly Literal[];
  /** Named arguments, after the positional ones. */
  readonly options?: readonly (readonly [name: string, value: Scalar])[];
}

export function isMap(value: Literal): value is ReadonlyMap<string, Scalar | readonly Scalar[]> {
  return value instanceof Map;
}

export function isList(value: Literal): value is readonly Scalar[] {
  return Array.isArray(value);
}

export function isJson(value: Literal): value is { readonly json: JsonValue } {
  return typeof value === 'object' && value !== null && 'json' in value;
}

export function isAllColumns({ params: { select } }: QueryModel): boolean {
  return select.length === 1 && select[0]?.kind === 'all';
}

/** Returns whether the request has parameters or orders for which the libraries have no method. */
export function hasFurtherForms({ having, distinct, scores, pages, orders }: ModelParams): boolean {
  const isByAggregate = orders.some(({ value }) => value.some(({ aggregate }) => aggregate !== undefined));
  return isByAggregate || [having, distinct, scores, pages].some((list) => list.length > 0);
}

/** `papers->>flag`, `boats.metres` */
export function columnOf({ path, value }: Addressed<Filter>): string {
  return renderPath(path) + renderFilterField(value.field);
}

/** Splits `gte.5` or `like(any).x` at the dot, without the negation. */
export function splitOperation(filter: Filter): { readonly operator: string; readonly operand: string } {
  const text = renderFilterValue({ ...filter, negated: false });
  const dot = text.indexOf('.');
  return { operator: text.slice(0, dot), operand: text.slice(dot + 1) };
}

/** Renders the text between the parentheses of `or=(…)`, the only logic tree for which the libraries have a method. */
export function renderAlternatives(group: LogicGroup): string {
  const members = renderMembers(group);
  if (group.operator === 'or' && !group.negated) return members.slice(1, -1);
  return `${group.negated ? 'not.' : ''}${group.operator}${members}`;
}

/** Renders a filter as a condition of such a group. */
export function renderCondition(filter: Filter): string {
  return renderMembers({ kind: 'group', operator: 'or', negated: false, members: [filter] }).slice(1, -1);
}

export function orderedColumn(term: OrderTerm): string {
  return renderOrder([{ ...term, direction: undefined, nulls: undefined }]);
}

/** `boats.crew`; undefined for the top level. */
export function tableOf(path: readonly string[]): string | undefined {
  return path.length === 0 ? undefined : renderPath(path).slice(0, -1);
}

/** Used with an offset, because the libraries have no method for an offset alone. */
const LAST_ROW = 2_147_483_646;

export function rangeCalls({ limit, offset }: LimitOffset): readonly Call[] {
  if (offset === undefined) return limit === undefined ? [] : [{ name: 'limit', args: [limit] }];
  return [{ name: 'range', args: [offset, limit === undefined ? LAST_ROW : offset + limit - 1] }];
}

/** @param option name of the argument with which the library addresses an embed */
export function withTable(call: Call, path: readonly string[], option: string): Call {
  const table = tableOf(path);
  return table === undefined ? call : { ...call, options: [...(call.options ?? []), [option, table]] };
}

/** Returns integers in canonical form as numbers. */
export function toLiteral(value: string): string | number {
  return /^(?:0|-?[1-9]\d{0,14})$/u.test(value) ? Number(value) : value;
}

/** Returns whether the libraries quote all these values of `in` correctly. */
export function isPlainList(values: readonly string[]): boolean {
  return values.every((value) => !/["\\]|^\s|\s$/u.test(value));
}

const SHORT_CASTS: ReadonlyMap<string, string> = new Map([
  ['bit varying', 'varbit'],
  ['character varying', 'varchar'],
  ['double precision', 'float8'],
  ['time with time zone', 'timetz'],
  ['time without time zone', 'time'],
  ['timestamp with time zone', 'timestamptz'],
  ['timestamp without time zone', 'timestamp'],
]);
const SPACED =
  /"(?:[^"\\]|\\.)*"|(?<cast>::[\p{L}\w$ ]+)|(?<name>(?:[\p{L}\w$]|-(?!>))+(?: +(?:[\p{L}\w$]|-(?!>))+)+)/gsu;

/**
 * Protects spaces in `select`, because the libraries remove them outside of double quotes.
 * @returns undefined if that is impossible
 */
export function keepBlanks(select: string): string | undefined {
  const kept = select.replaceAll(SPACED, (whole: string, ...rest) => {
    const { cast, name }: Record<string, string | undefined> = rest.at(-1);
    if (cast !== undefined) return `::${SHORT_CASTS.get(cast.slice(2)) ?? cast.slice(2)}`;
    return name === undefined ? whole : `"${name}"`;
  });
  return takeBlanks(kept) === kept ? kept : undefined;
}

/** Removes spaces like the libraries, which do not handle escapes. */
function takeBlanks(text: string): string {
  return text
    .split('"')
    .map((piece, index) => (index % 2 === 0 ? piece.replaceAll(/\s/gu, '') : piece))
    .join('"');
}
