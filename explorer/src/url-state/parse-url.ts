// Parses a request URL into a query model with the server's parser, or returns the server's error and its position.
import { enableExtensions, EXTENSION_NAMES } from '../../../src/contract/extensions.ts';
import { type Dialect, DIALECTS, SVC_DIALECT } from '../../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { describeServiceError } from '../../../src/errors/error-catalog.ts';
import { parseQueryParams, type QueryOptions } from '../../../src/request/query/parse-query-params.ts';
import { parseTarget } from '../../../src/request/target.ts';
import { locateParseError, type TextRange } from './locate-error.ts';
import type { QueryModel, RequestPath } from './query-model.ts';

export interface UrlProblem extends TextRange {
  readonly message: string;
  readonly details: string | undefined;
  readonly hint: string | undefined;
  /** Name of the invalid parameter; undefined if the path or the whole URL is invalid. */
  readonly parameter: string | undefined;
}

/** Practically unlimited, with all extensions, because the server enforces what it allows. */
export const GRAMMAR: QueryOptions = {
  arguments: 'none',
  limits: {
    extensions: enableExtensions(EXTENSION_NAMES),
    brackets: 1_000_000,
    embedDepth: 500,
    embeds: 1_000_000,
    logicDepth: 500,
    pathSteps: 1_000_000,
    selectItems: 1_000_000,
    terms: 1_000_000,
  },
  mayRecurse: true,
  hasScores: true,
  isTrailingTextIgnored: false,
  areBoundsLenient: false,
};

/** @param dialectName the `dialect` of the schema document */
export function parseUrl(url: string, dialectName = 'svc'): Result<QueryModel, UrlProblem> {
  const dialect = Object.values(DIALECTS).find(({ name }) => name === dialectName) ?? SVC_DIALECT;
  const mark = url.indexOf('?');
  const pathEnd = mark < 0 ? url.length : mark;
  const path = parsePath(url.slice(0, pathEnd));
  if (path === undefined) return fail({ ...MISSING_TARGET, from: 0, to: pathEnd });
  if (!path.ok) return fail(describeProblem({ error: path.error, range: { from: 0, to: pathEnd } }, dialect));
  const isFunction = path.value.kind === 'function';
  const query = parseQueryParams(mark < 0 ? '' : url.slice(mark + 1), {
    ...GRAMMAR,
    arguments: isFunction ? 'whereNotOperator' : 'none',
    hasScores: !isFunction,
    hasPages: !isFunction,
    isTrailingTextIgnored: dialect.isTrailingTextIgnored,
    areBoundsLenient: dialect.areBoundsLenient,
  });
  if (!query.ok) return fail(describeProblem({ error: query.error, ...locateParseError(url, query.error) }, dialect));
  const { canonical: _canonical, ignoredText: _ignoredText, ...params } = query.value;
  // To the parser, `distinct` of a function is an argument as well.
  return ok({ path: path.value, params: isFunction ? { ...params, distinct: [] } : params });
}

const MISSING_TARGET: Omit<UrlProblem, keyof TextRange> = {
  message: 'Enter the path of a relation or function, such as /houses or /rpc/oldest_street',
  details: undefined,
  hint: undefined,
  parameter: undefined,
};

/** Returns undefined if the path names nothing. */
function parsePath(text: string): Result<RequestPath, ApiError> | undefined {
  const target = parseTarget(text);
  if (!target.ok) return target;
  switch (target.value.kind) {
    case 'root':
      return undefined;
    case 'relation':
      return ok({ kind: 'relation', name: target.value.name });
    case 'routine':
      return ok({ kind: 'function', name: target.value.name });
  }
}

interface LocatedError {
  readonly error: ApiError;
  readonly range: TextRange;
  readonly parameter?: string | undefined;
}

function describeProblem({ error, range, parameter }: LocatedError, dialect: Dialect): UrlProblem {
  if (error.kind === 'database') throw new Error('the parser asks no database');
  const { message, details, hint } = describeServiceError(error, dialect);
  return { ...range, message, details: typeof details === 'string' ? details : undefined, hint, parameter };
}
