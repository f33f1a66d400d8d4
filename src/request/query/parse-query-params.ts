// Parses a raw query string into QueryParams, the first step of parsing a request. Reports the first of several errors,
// in the order of the function body below (`reading.md` §1 item 5).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type ClassifiedParameters, classifyParameters, type GivenParameter } from './classify-parameters.ts';
import { type Parser, parseText } from './combinators.ts';
import { parseDistinctParameters } from './distinct.ts';
import {
  type FilterOptions,
  type FiltersAndArguments,
  type GrammarOptions,
  isFilterExpression,
  parseFilters,
  parseLogic,
  parseOrders,
  parseRanges,
  trailingTextOf,
} from './parse-parameters.ts';
import { parseColumnList, parseIndexName } from './paths.ts';
import type {
  Addressed,
  IgnoredText,
  LogicGroup,
  LogicNode,
  NestedList,
  QueryParams,
  SelectItem,
} from './query-params.ts';
import {
  describeLimit,
  type ExceededLimit,
  MAX_SEARCHES,
  MAX_USED_TRIGRAM_TEXT,
  MAX_USED_WORDS,
  nothingSpent,
  type QueryLimits,
  type SpentTerms,
} from './query-limits.ts';
import { countScoreUses } from './score.ts';
import { parseRecursiveSelectList, parseSelectList } from './select.ts';
import { hasPiecesBeyond, type Parameter, splitQuery } from './split-query.ts';

export interface QueryOptions extends Omit<FilterOptions, 'ignored'> {
  /** Renders no canonical query, because the response has no `Content-Location`. */
  readonly isLongQuery?: boolean | undefined;
  /** Ignores text after a complete value instead of failing. */
  readonly isTrailingTextIgnored: boolean;
  /** Knows `on_conflict=*`, `on_conflict=!index` and `merge` (`beyond.md` §2.4). */
  readonly hasUpserts?: boolean | undefined;
  /** Knows `match` (`beyond.md` §2.3). */
  readonly hasMatch?: boolean | undefined;
  /** Knows `columns` and `on_conflict` of nested rows (`beyond.md` §2.2). */
  readonly hasNested?: boolean | undefined;
}

const ALL_COLUMNS: readonly SelectItem[] = [{ kind: 'all' }];

/**
 * Parses a query string, or its parameters. Accepts any text and takes time linear in its length. `select` is never empty: if the parameter is absent or empty,
 * it selects all columns (`reading.md` §2.3).
 *
 * Errors: `queryParse`, and `limitExceeded` beyond `options.limits`. With `arguments: 'whereNotOperator'`, a parameter
 * whose value does not start like an operator expression is a function argument (`writing.md` §14.5).
 */
export function parseQueryParams(
  query: string | readonly Parameter[],
  options: QueryOptions,
): Result<QueryParams, ApiError> {
  if (typeof query !== 'string') return parseParameters(query, options);
  if (hasPiecesBeyond(options.limits.terms, query))
    return fail({ kind: 'limitExceeded', ...describeLimit('terms', options.limits.terms), status: 400 });
  return parseParameters(splitQuery(query), options);
}

function parseParameters(parameters: readonly Parameter[], options: QueryOptions): Result<QueryParams, ApiError> {
  const { mayRecurse = false } = options;
  const limits = { ...options.limits, spent: nothingSpent(parameters.length) };
  const ignoredText: IgnoredText[] = [];
  const ignored = options.isTrailingTextIgnored ? ignoredText : undefined;
  const grammar: FilterOptions = { ...options, limits, ignored };
  const classified = { ...classifyParameters(parameters), merge: undefined, match: undefined };
  const merging = options.hasUpserts === true ? takeList(classified, 'merge', options.limits) : classified;
  const given = options.hasMatch === true ? takeList(merging, 'match', options.limits) : merging;

  const orders = parseOrders(given.orders, limits);
  if (!orders.ok) return orders;
  const logic = parseLogic(given.logic, grammar);
  if (!logic.ok) return logic;
  const columns = parseList('columns', given.columns, grammar, parseColumnList);
  if (!columns.ok) return columns;
  const parseSelect = mayRecurse ? parseRecursiveSelectList : parseSelectList;
  const select = parseList('select', given.select, grammar, parseSelect);
  if (!select.ok) return select;
  const related = checkRelatedLimits(logic.value, select.value ?? [], limits);
  if (!related.ok) return related;
  const filters =
    options.hasNested === true ? parseNestedFilters(given, grammar) : parseFilters(given.filters, grammar);
  if (!filters.ok) return filters;
  const distinct = parseDistinctParameters(filters.value.distinct, grammar);
  if (!distinct.ok) return distinct;
  const lists = parseLists(given, { ...grammar, hasUpserts: options.hasUpserts });
  if (!lists.ok) return lists;
  const ranges = parseRanges(given.ranges, grammar);
  if (!ranges.ok) return ranges;
  if (filters.value.scores.length > 0) {
    const exceeded = findExceeded(limits.spent, countScoreUses(logic.value, filters.value.filters, select.value ?? []));
    if (exceeded !== undefined) return fail({ kind: 'limitExceeded', ...exceeded, status: 400 });
  }

  return ok({
    select: select.value === undefined || select.value.length === 0 ? ALL_COLUMNS : select.value,
    ...filters.value,
    distinct: distinct.value,
    logic: logic.value,
    orders: orders.value,
    ranges: ranges.value,
    columns: columns.value,
    ...lists.value,
    ignoredText,
    canonical: options.isLongQuery === true ? '' : renderCanonicalQuery(parameters),
  });
}

/** @param uses those of all scores */
function findExceeded({ searches, scoreWords, trigramText }: SpentTerms, uses: number): ExceededLimit | undefined {
  if (searches + uses > MAX_SEARCHES) return describeLimit('searches', MAX_SEARCHES);
  if (uses * scoreWords > MAX_USED_WORDS) return describeLimit('usedWords', MAX_USED_WORDS);
  if (uses * trigramText > MAX_USED_TRIGRAM_TEXT) return describeLimit('usedTrigramText', MAX_USED_TRIGRAM_TEXT);
  return undefined;
}

function parseNestedFilters(
  { filters }: ClassifiedParameters,
  grammar: FilterOptions,
): Result<FiltersAndArguments & Pick<QueryParams, 'nestedLists'>, ApiError> {
  const separated = separateNestedLists(filters, grammar);
  if (!separated.ok) return separated;
  const parsed = parseFilters(separated.value.filters, grammar);
  return parsed.ok ? ok({ ...parsed.value, nestedLists: separated.value.lists }) : parsed;
}

type Given = ClassifiedParameters & { readonly [name in OwnList]: string | undefined };

/** Parameters that are lists of columns, unless their values are filters of columns with these names. */
type OwnList = 'merge' | 'match';

type ListParams = Pick<QueryParams, 'onConflict' | 'conflictIndex' | 'onAnyConflict' | 'merge' | 'match'>;

/** Which rows a write changes, and what an upsert does where a row exists. */
function parseLists(given: Given, grammar: ListGrammar): Result<ListParams, ApiError> {
  const conflict = parseConflict(given, grammar);
  if (!conflict.ok) return conflict;
  const merge = parseList('merge', given.merge, grammar, parseColumnList);
  if (!merge.ok) return merge;
  const match = parseList('match', given.match, grammar, parseColumnList);
  if (!match.ok) return match;
  return ok({
    ...conflict.value,
    ...(merge.value === undefined ? {} : { merge: merge.value }),
    ...(match.value === undefined ? {} : { match: match.value }),
  });
}

type ListGrammar = GrammarOptions & Pick<QueryOptions, 'hasUpserts'>;

function parseConflict({ onConflict: text }: Given, grammar: ListGrammar): Result<ListParams, ApiError> {
  if (grammar.hasUpserts === true && text === '*') return ok({ onConflict: undefined, onAnyConflict: true });
  const isIndex = grammar.hasUpserts === true && text?.startsWith('!');
  if (isIndex !== true) {
    const columns = parseList('on_conflict', text, grammar, parseColumnList);
    return columns.ok ? ok({ onConflict: columns.value }) : columns;
  }
  const index = parseList('on_conflict', text, grammar, parseIndexName);
  return index.ok ? ok({ onConflict: undefined, conflictIndex: index.value }) : index;
}

/** Of several parameters, the first wins. */
function takeList(given: Given, list: OwnList, limits: QueryLimits): Given {
  const isList = ({ name, value }: GivenParameter): boolean => name === list && !isFilterExpression(value, limits);
  const text = given.filters.find(isList)?.value;
  if (text === undefined) return given;
  return { ...given, filters: given.filters.filter((parameter) => !isList(parameter)), [list]: text };
}

function parseList<T>(
  parameter: 'select' | 'columns' | 'on_conflict' | OwnList,
  text: string | undefined,
  grammar: GrammarOptions,
  parser: Parser<T>,
): Result<T | undefined, ApiError> {
  if (text === undefined) return ok(undefined);
  const trailing = trailingTextOf(grammar, parameter);
  return parseText({ context: `${parameter} parameter`, text, limits: grammar.limits, trailing }, parser);
}

/**
 * Renders decoded parameters as the query part of `Content-Location` (`reading.md` §2.4). Sorts by name and joins the
 * values of each name with commas, in the order given. Returns `''` without parameters.
 */
function renderCanonicalQuery(parameters: readonly Parameter[]): string {
  let query = '';
  let previous: string | undefined;
  for (const { name, value = '' } of parameters.toSorted(compareNames)) {
    const start = query === '' ? '' : '&';
    query += name === previous ? `,${encodeText(value)}` : `${start}${encodeText(name)}=${encodeText(value)}`;
    previous = name;
  }
  return query;
}

function compareNames(a: Parameter, b: Parameter): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

const UNRESERVED_ONLY = /^[\w.~-]*$/;

/** Percent-encodes everything except ASCII letters, digits and `-_.~`. The text must not contain lone surrogates. */
function encodeText(text: string): string {
  return UNRESERVED_ONLY.test(text) ? text : encodeURIComponent(text).replaceAll(/[!'()*]/g, encodeCharacter);
}

function encodeCharacter(ascii: string): string {
  return `%${ascii.charCodeAt(0).toString(16).toUpperCase()}`;
}

const NESTED_LIST_NAME = /^(?<path>.+)\.(?<parameter>columns|on_conflict)$/u;

/**
 * Parses `items.columns` and `items.on_conflict`: the parameters of rows that are nested in the body (`beyond.md`
 * §2.2). Separates the lists from the filters. A filter expression is a filter of a column with that name.
 */
function separateNestedLists(
  parameters: readonly GivenParameter[],
  grammar: GrammarOptions,
): Result<{ readonly filters: readonly GivenParameter[]; readonly lists: readonly Addressed<NestedList>[] }, ApiError> {
  const lists: Addressed<NestedList>[] = [];
  const filters: GivenParameter[] = [];
  for (const parameter of parameters) {
    const list = parseNestedList(parameter, grammar);
    if (list === undefined) filters.push(parameter);
    else if (list.ok) lists.push(list.value);
    else return fail(list.error);
  }
  return ok({ filters, lists });
}

function parseNestedList(
  { name, value }: GivenParameter,
  grammar: GrammarOptions,
): Result<Addressed<NestedList>, ApiError> | undefined {
  const { path, parameter } = NESTED_LIST_NAME.exec(name)?.groups ?? {};
  if (path === undefined || (parameter !== 'columns' && parameter !== 'on_conflict')) return undefined;
  const { limits } = grammar;
  if (isFilterExpression(value, limits)) return undefined;
  const trailing = trailingTextOf(grammar, name);
  const context = `${parameter} parameter` as const;
  const columns = parseText({ context, text: value, limits, trailing }, parseColumnList);
  return columns.ok ? ok({ path: path.split('.'), value: { parameter, columns: columns.value } }) : columns;
}

/** Limits of what trees address: related rows count as embeds (`beyond.md` §1.4). */
function checkRelatedLimits(
  logic: readonly Addressed<LogicGroup>[],
  select: readonly SelectItem[],
  limits: QueryLimits,
): Result<undefined, ApiError> {
  let related = 0;
  let deepest = 0;
  const visit = (node: LogicNode, depth: number): void => {
    if (node.kind === 'group') for (const member of node.members) visit(member, depth);
    if (node.kind !== 'related') return;
    related += 1;
    deepest = Math.max(deepest, depth + 1);
    visit(node.member, depth + 1);
  };
  for (const { path, value } of logic) visit(value, path.length);
  if (related === 0) return ok(undefined);
  if (deepest > limits.embedDepth) return exceed('embedDepth', limits);
  return related + countEmbeds(select) > limits.embeds ? exceed('embeds', limits) : ok(undefined);
}

function exceed(name: 'embeds' | 'embedDepth', limits: QueryLimits): Result<undefined, ApiError> {
  return fail({ kind: 'limitExceeded', ...describeLimit(name, limits[name]), status: 400 });
}

function countEmbeds(items: readonly SelectItem[]): number {
  let count = 0;
  for (const item of items) {
    if (item.kind !== 'embed' && item.kind !== 'spread') continue;
    count += (item.levels ?? 1) * (1 + countEmbeds(item.select));
  }
  return count;
}
