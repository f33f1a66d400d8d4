// Parses each class of parameters into its part of QueryParams. Reports a bad name before a bad value (`reading.md`
// §4.1).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { GivenParameter } from './classify-parameters.ts';
import { explainFailure, parseSource, parseText, type SourceText, type TrailingText } from './combinators.ts';
import { isDistinctName } from './distinct.ts';
import { parseGroupMembers } from './logic.ts';
import { makeCondition, type OperationExpression, parseOperationExpression } from './operation.ts';
import { parseOrderList } from './order.ts';
import { keyOfPath, parseFilterTarget, parseNamePath, parseTreePath } from './paths.ts';
import type {
  Addressed,
  Field,
  Filter,
  HavingFilter,
  IgnoredText,
  LimitOffset,
  LogicGroup,
  OrderTerm,
} from './query-params.ts';
import { combineRanges, type RangeParameter } from './ranges.ts';
import { describeLimit, hasBracketsBeyond, type QueryLimits } from './query-limits.ts';
import { Scanner } from './scanner.ts';

/** Options that apply to the whole query string. */
export interface GrammarOptions {
  readonly limits: QueryLimits;
  /** Collects text after complete values; if undefined, such text is an error. */
  readonly ignored: IgnoredText[] | undefined;
  /** Ignores a limit or offset that is not an integer instead of failing. */
  readonly areBoundsLenient: boolean;
}

export function trailingTextOf({ ignored }: GrammarOptions, parameter: string): TrailingText | undefined {
  return ignored && { parameter, ignored };
}

/** The first order for a path wins; later ones must still parse. */
export function parseOrders(
  parameters: readonly GivenParameter[],
  limits: QueryLimits,
): Result<readonly Addressed<readonly OrderTerm[]>[], ApiError> {
  const orders = new Map<string, Addressed<readonly OrderTerm[]>>();
  for (const { name, value } of parameters) {
    const address = parseAddress(name, limits);
    if (!address.ok) return address;
    const terms = parseText({ context: 'order', text: value, limits }, parseOrderList);
    if (!terms.ok) return terms;
    const { path } = address.value;
    const key = keyOfPath(path);
    if (!orders.has(key)) orders.set(key, { path, value: terms.value });
  }
  return ok([...orders.values()]);
}

export function parseLogic(
  parameters: readonly GivenParameter[],
  options: GrammarOptions,
): Result<readonly Addressed<LogicGroup>[], ApiError> {
  const { limits } = options;
  const groups: Addressed<LogicGroup>[] = [];
  for (const { name, value } of parameters) {
    const names = parseText({ context: 'logic path', text: name, limits }, parseNamePath);
    if (!names.ok) return names;
    const operator = names.value.at(-1) === 'or' ? 'or' : 'and';
    const negated = names.value.includes('not');
    const columnOffset = (negated ? 'not.' : '').length + operator.length;
    const trailing = trailingTextOf(options, name);
    const tree: SourceText = { context: 'logic tree', text: value, limits, trailing, columnOffset };
    const members = parseText(tree, parseGroupMembers);
    if (!members.ok) return members;
    const path = names.value.slice(0, -1).filter((element) => element !== 'not');
    groups.push({ path, value: { kind: 'group', operator, negated, members: members.value } });
  }
  return ok(groups);
}

export function parseRanges(
  parameters: readonly GivenParameter[],
  { limits, areBoundsLenient }: GrammarOptions,
): Result<readonly Addressed<LimitOffset>[], ApiError> {
  const ranges: RangeParameter[] = [];
  for (const { name, value } of parameters) {
    const address = parseAddress(name, limits);
    if (!address.ok) return address;
    const { path, value: field } = address.value;
    ranges.push({ path, bound: field.column === 'limit' ? 'limit' : 'offset', value });
  }
  return combineRanges(ranges, areBoundsLenient);
}

export interface FilterOptions extends GrammarOptions {
  readonly arguments: 'none' | 'whereNotOperator';
}

export interface FiltersAndArguments {
  readonly filters: readonly Addressed<Filter>[];
  readonly having: readonly Addressed<HavingFilter>[];
  readonly args: readonly (readonly [name: string, value: string])[];
  /** Parameters called `distinct` that are not filters. */
  readonly distinct: readonly GivenParameter[];
}

/** The name of an argument is used verbatim and not parsed as a path (`writing.md` §14.5). */
export function parseFilters(
  parameters: readonly GivenParameter[],
  options: FilterOptions,
): Result<FiltersAndArguments, ApiError> {
  const filters: Addressed<Filter>[] = [];
  const having: Addressed<HavingFilter>[] = [];
  const args: (readonly [string, string])[] = [];
  const distinct: GivenParameter[] = [];
  const { brackets } = options.limits;
  for (const { name, value } of parameters) {
    const trailing = trailingTextOf(options, name);
    const mayBeDistinct = options.limits.extensions?.includes('aggregates') === true && isDistinctName(name);
    const expression = parseFilterValue(
      { name, value },
      mayBeDistinct ? { ...options, arguments: 'whereNotOperator' } : options,
    );
    if (expression === 'argument' && mayBeDistinct) distinct.push({ name, value });
    if (expression === 'argument') {
      if (hasBracketsBeyond(brackets, value))
        return fail({ kind: 'limitExceeded', ...describeLimit('brackets', brackets), status: 400 });
      if (options.arguments === 'whereNotOperator') args.push([name, value]);
      continue;
    }
    const address = parseText(
      { context: 'tree path', text: name, limits: options.limits, trailing },
      parseFilterTarget,
    );
    if (!address.ok) return address;
    if (!expression.ok) return expression;
    const { path, value: field } = address.value;
    const condition = makeCondition(field, expression.value);
    if (condition.kind === 'having') having.push({ path, value: condition });
    else filters.push({ path, value: condition });
  }
  return ok({ filters, having, args, distinct });
}

function parseAddress(text: string, limits: QueryLimits): Result<Addressed<Field>, ApiError> {
  return parseText({ context: 'tree path', text, limits }, parseTreePath);
}

function parseFilterValue(
  { name, value: text }: GivenParameter,
  options: FilterOptions,
): Result<OperationExpression, ApiError> | 'argument' {
  const trailing = trailingTextOf(options, name);
  const source: SourceText = { context: 'filter', text, limits: options.limits, trailing, parameter: name };
  const scanner = new Scanner(text, options.limits);
  const expression = parseSource(source, parseFilterExpression, scanner);
  if (expression !== undefined) return ok(expression);
  const isCommitted = scanner.at > 0;
  if (!isCommitted && options.arguments === 'whereNotOperator') return 'argument';
  return fail(explainFailure(source, parseFilterExpression, scanner));
}

function parseFilterExpression(scanner: Scanner): OperationExpression | undefined {
  return parseOperationExpression(scanner, takeRest);
}

function takeRest(scanner: Scanner): string {
  const rest = scanner.text.slice(scanner.at);
  scanner.advanceTo(scanner.text.length);
  return rest;
}
