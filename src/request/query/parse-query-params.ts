// Raw query string → QueryParams: the first step of reading a request. Of several errors the first one in the order of
// the body below is reported (`reading.md` §1 item 5).
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError, ParseContext } from '../../errors/api-error.ts';
import { renderCanonicalQuery } from './canonical-query.ts';
import { classifyParameters } from './classify-parameters.ts';
import { type Parser, parseText } from './combinators.ts';
import { type FilterOptions, parseFilters, parseLogic, parseOrders, parseRanges } from './parse-parameters.ts';
import { parseColumnList } from './paths.ts';
import type { QueryParams, SelectItem } from './query-params.ts';
import type { QueryLimits } from './query-limits.ts';
import { parseSelectList } from './select.ts';
import { splitQuery } from './split-query.ts';

export type QueryOptions = FilterOptions;

const ALL_COLUMNS: readonly SelectItem[] = [{ kind: 'all' }];

/**
 * Total on any text, in time linear in its length. `select` is never empty: without the parameter, and with an empty
 * one, it asks for all columns (`reading.md` §2.3).
 *
 * Errors: `queryParse`, and `limitExceeded` beyond `options.limits`. With `arguments: 'whereNotOperator'` a parameter
 * whose value does not begin as an operator expression is a function argument (`writing.md` §14.5).
 */
export function parseQueryParams(rawQuery: string, options: QueryOptions): Result<QueryParams, ApiError> {
  const { limits } = options;
  const parameters = splitQuery(rawQuery);
  const given = classifyParameters(parameters);

  const orders = parseOrders(given.orders, limits);
  if (!orders.ok) return orders;
  const logic = parseLogic(given.logic, limits);
  if (!logic.ok) return logic;
  const columns = parseOptional(given.columns, { context: 'columns parameter', limits, parser: parseColumnList });
  if (!columns.ok) return columns;
  const select = parseOptional(given.select, { context: 'select parameter', limits, parser: parseSelectList });
  if (!select.ok) return select;
  const filters = parseFilters(given.filters, options);
  if (!filters.ok) return filters;
  const onConflict = parseOptional(given.onConflict, {
    context: 'on_conflict parameter',
    limits,
    parser: parseColumnList,
  });
  if (!onConflict.ok) return onConflict;
  const ranges = parseRanges(given.ranges, limits);
  if (!ranges.ok) return ranges;

  return ok({
    select: select.value === undefined || select.value.length === 0 ? ALL_COLUMNS : select.value,
    filters: filters.value.filters,
    args: filters.value.args,
    logic: logic.value,
    orders: orders.value,
    ranges: ranges.value,
    columns: columns.value,
    onConflict: onConflict.value,
    canonical: renderCanonicalQuery(parameters),
  });
}

interface Grammar<T> {
  readonly context: ParseContext;
  readonly limits: QueryLimits;
  readonly parser: Parser<T>;
}

function parseOptional<T>(text: string | undefined, grammar: Grammar<T>): Result<T | undefined, ApiError> {
  if (text === undefined) return ok(undefined);
  return parseText({ context: grammar.context, text, limits: grammar.limits }, grammar.parser);
}
