// Parses each class of parameters into its part of QueryParams. Reports a bad name before a bad value (`reading.md`
// §4.1).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { GivenParameter } from './classify-parameters.ts';
import {
  explainFailure,
  parseSource,
  parseText,
  parseWhole,
  type SourceText,
  type TrailingText,
} from './combinators.ts';
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
  PageDirection,
  PageToken,
  Score,
} from './query-params.ts';
import { describeLimit, hasBracketsBeyond, type QueryLimits } from './query-limits.ts';
import { Scanner } from './scanner.ts';
import { isScoreName, parseScore, SCORE } from './score.ts';

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
  /** `after` and `before` are page tokens where their values are not filters. */
  readonly hasPages?: boolean | undefined;
  /** Embeds may contain themselves. */
  readonly mayRecurse?: boolean | undefined;
  /** `score` defines a computed column where its value is not a filter. */
  readonly hasScores?: boolean | undefined;
}

export interface FiltersAndArguments {
  readonly pages: readonly Addressed<PageToken>[];
  readonly scores: readonly Addressed<Score>[];
  readonly unreadableScore: ApiError | undefined;
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
  const others: Others = { unreadableScore: undefined, args: [], pages: [], scores: [], distinct: [] };
  for (const parameter of parameters) {
    const { name } = parameter;
    const trailing = trailingTextOf(options, name);
    const special = findSpecial(name, options);
    const expression = parseFilterValue(parameter, options, special !== undefined);
    if (expression === 'argument') {
      const error = addOther(parameter, special, options, others);
      if (error !== undefined) return fail(error);
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
  return ok({ filters, having, ...others });
}

/** Parameters whose values are not filters. */
interface Others {
  readonly args: (readonly [string, string])[];
  readonly pages: Addressed<PageToken>[];
  readonly scores: Addressed<Score>[];
  unreadableScore: ApiError | undefined;
  readonly distinct: GivenParameter[];
}

type Special = PageToken['direction'] | 'score' | 'distinct';

/** Returns what the parameter means if its value is not a filter. */
function findSpecial(name: string, { hasPages, hasScores, limits }: FilterOptions): Special | undefined {
  if (hasScores === true && isScoreName(name)) return 'score';
  if (limits.extensions?.aggregates === true && isDistinctName(name)) return 'distinct';
  return hasPages === true ? findPageDirection(name) : undefined;
}

function addOther(
  parameter: GivenParameter,
  special: Special | undefined,
  options: FilterOptions,
  others: Others,
): ApiError | undefined {
  const { name, value } = parameter;
  const { limits } = options;
  if (special === 'distinct') others.distinct.push(parameter);
  const mayBeArgument = options.arguments === 'whereNotOperator' && (special !== 'score' || name === SCORE);
  if (special === undefined || special === 'distinct' || (special === 'score' && mayBeArgument)) {
    if (hasBracketsBeyond(limits.brackets, value))
      return { kind: 'limitExceeded', ...describeLimit('brackets', limits.brackets), status: 400 };
    if (mayBeArgument) others.args.push([name, value]);
    if (special !== 'score') return undefined;
  }
  const address = parseAddress(name, limits);
  if (!address.ok) return address.error;
  const { path } = address.value;
  if (special !== 'score') {
    others.pages.push({ path, value: { direction: special, text: value } });
    return undefined;
  }
  const score = parseText({ context: 'score', text: value, limits }, parseScore);
  if (!score.ok && mayBeArgument) others.unreadableScore ??= score.error;
  if (!score.ok) return mayBeArgument ? undefined : score.error;
  others.scores.push({ path, value: score.value });
  return undefined;
}

function parseAddress(text: string, limits: QueryLimits): Result<Addressed<Field>, ApiError> {
  return parseText({ context: 'tree path', text, limits }, parseTreePath);
}

function parseFilterValue(
  { name, value: text }: GivenParameter,
  options: FilterOptions,
  isPage: boolean,
): Result<OperationExpression, ApiError> | 'argument' {
  const trailing = trailingTextOf(options, name);
  const source: SourceText = { context: 'filter', text, limits: options.limits, trailing, parameter: name };
  const scanner = new Scanner(text, options.limits);
  const expression = parseSource(source, parseFilterExpression, scanner);
  if (expression !== undefined) return ok(expression);
  const isCommitted = scanner.at > 0;
  if (!isCommitted && (isPage || options.arguments === 'whereNotOperator')) return 'argument';
  return fail(explainFailure(source, parseFilterExpression, scanner));
}

function parseFilterExpression(scanner: Scanner): OperationExpression | undefined {
  return parseOperationExpression(scanner, takeRest);
}

/** Whether the value of a parameter whose name is not reserved makes it a filter. */
export function isFilterExpression(text: string, limits: QueryLimits): boolean {
  return parseWhole(new Scanner(text, limits), parseFilterExpression) !== undefined;
}

function takeRest(scanner: Scanner): string {
  const rest = scanner.text.slice(scanner.at);
  scanner.advanceTo(scanner.text.length);
  return rest;
}

/**
 * Recognizes the parameters that may contain page tokens: `after`, `before`, also below an embed (`beyond.md` §1.6).
 * The quotes in `"after"` keep it from matching.
 */
function findPageDirection(name: string): PageDirection | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return last === 'after' || last === 'before' ? last : undefined;
}

interface RangeParameter {
  readonly path: readonly string[];
  readonly bound: 'limit' | 'offset';
  readonly value: string;
}

/**
 * Combines `limit` and `offset` parameters into one range per embed path (`reading.md` §2.3, §9.1). The last value for
 * a path wins. An empty one has no effect, and neither has one that is not an integer if `areLenient`; otherwise it is
 * an error.
 */
function combineRanges(
  parameters: readonly RangeParameter[],
  areLenient: boolean,
): Result<readonly Addressed<LimitOffset>[], ApiError> {
  const ranges = new Map<string, Addressed<LimitOffset>>();
  for (const { path, bound, value } of parameters) {
    const key = keyOfPath(path);
    const before = ranges.get(key)?.value;
    const given = parseInteger(value);
    if (given === undefined && value !== '' && !areLenient)
      return fail({ kind: 'queryParse', context: bound, text: value, column: 1, details: 'expecting a whole number' });
    const limit = bound === 'limit' ? given : before?.limit;
    const offset = bound === 'offset' ? given : before?.offset;
    ranges.set(key, { path, value: { limit, offset } });
  }
  return ok([...ranges.values()].filter(({ value }) => value.limit !== undefined || value.offset !== undefined));
}

const INTEGER = /^[+-]?\d+$/;

/** Returns undefined for text that is not a decimal integer; clamps to the safe integers. */
function parseInteger(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)));
  return value === 0 ? 0 : value;
}
