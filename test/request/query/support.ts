// Helpers that call the parser for the tests of this folder.
import { expect } from 'vitest';
import { EXTENSION_NAMES, enableExtensions } from '../../../src/contract/extensions.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { parseQueryParams, type QueryOptions } from '../../../src/request/query/parse-query-params.ts';
import type { QueryLimits } from '../../../src/request/query/query-limits.ts';
import { type RenderedParams, renderParameters } from '../../../src/request/query/render-query.ts';
import type { PrintableQuery } from './arbitrary-query.ts';
import type { Filter, LogicGroup, Operation, QueryParams } from '../../../src/request/query/query-params.ts';

export const LIMITS: QueryLimits = {
  brackets: 100,
  embedDepth: 10,
  embeds: 100,
  logicDepth: 10,
  pathSteps: 100,
  terms: 10_000,
  selectItems: 100,
};

/** With all extensions of the grammar. */
export const EXTENDED: QueryLimits = { ...LIMITS, extensions: enableExtensions(EXTENSION_NAMES) };

/** Prints a query as a raw query string. */
export function printQuery(query: Partial<RenderedParams> & PrintableQuery): string {
  const parameters = renderParameters({ args: [], pages: [], scores: [], ...query });
  return parameters.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

export function parse(
  rawQuery: string,
  options: 'none' | 'whereNotOperator' = 'none',
  limits: QueryLimits = LIMITS,
  hasPages = false,
): QueryParams {
  return parseWith(rawQuery, { arguments: options, limits, hasPages });
}

/** Parses the query string of a write with the extension `upsert`. */
export function parseUpsert(rawQuery: string): QueryParams {
  return parseWith(rawQuery, { arguments: 'none', limits: LIMITS, hasUpserts: true });
}

function parseWith(
  rawQuery: string,
  options: Omit<QueryOptions, 'isTrailingTextIgnored' | 'areBoundsLenient'>,
): QueryParams {
  const result = parseQueryParams(rawQuery, {
    ...options,
    isTrailingTextIgnored: false,
    areBoundsLenient: false,
  });
  if (!result.ok) throw new Error(`${rawQuery}: ${JSON.stringify(result.error)}`);
  return result.value;
}

export function parseError(rawQuery: string, options: 'none' | 'whereNotOperator' = 'none'): ApiError {
  const result = parseQueryParams(rawQuery, {
    arguments: options,
    limits: LIMITS,
    isTrailingTextIgnored: false,
    areBoundsLenient: false,
  });
  if (result.ok) throw new Error(`${rawQuery} parses`);
  return result.error;
}

/** Returns the message and details of a parse error. */
export function parseErrorText(rawQuery: string): readonly [message: string, details: string] {
  const error = parseError(rawQuery);
  if (error.kind !== 'queryParse') throw new Error(JSON.stringify(error));
  return [`"failed to parse ${error.context} (${error.text})" (line 1, column ${error.column})`, error.details];
}

/** Returns the only filter of a query. */
export function parseFilter(rawQuery: string): Filter {
  const { filters } = parse(rawQuery);
  expect(filters).toHaveLength(1);
  return filters[0]!.value;
}

/** Returns the operation of `c=<value>`. */
export function parseOperation(value: string): Operation {
  return parseFilter(`c=${encodeURIComponent(value)}`).operation;
}

/** Returns the only logic tree of a query. */
export function parseTree(rawQuery: string): LogicGroup {
  const { logic } = parse(rawQuery);
  expect(logic).toHaveLength(1);
  return logic[0]!.value;
}
