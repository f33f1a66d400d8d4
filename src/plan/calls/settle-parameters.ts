// Decides what `distinct` and `score` mean on a call: a parameter of the function with that name wins over the one of the
// grammar (`beyond.md`).
import type { Routine } from '../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import { isDistinctName } from '../../request/query/distinct.ts';
import { SCORE } from '../../request/query/score.ts';

export function settleParameters(request: ApiRequest, overloads: readonly Routine[]): Result<ApiRequest, ApiError> {
  return settleScore(settleDistinct(request, overloads), overloads);
}

function settleDistinct(request: ApiRequest, overloads: readonly Routine[]): ApiRequest {
  const { query } = request;
  if (query.distinct.length === 0) return request;
  const isArgument = request.payload === undefined && hasParameter(overloads, 'distinct');
  const settled = isArgument
    ? { distinct: query.distinct.filter(({ path }) => path.length > 0) }
    : { args: query.args.filter(([name]) => !isDistinctName(name)) };
  return { ...request, query: { ...query, ...settled } };
}

/** A call whose arguments are in its body has no arguments in its query string. */
function settleScore(request: ApiRequest, overloads: readonly Routine[]): Result<ApiRequest, ApiError> {
  const { query } = request;
  const isScored = query.unreadableScore !== undefined || query.scores.some(({ path }) => path.length === 0);
  if (!isScored || !query.args.some(([name]) => name === SCORE)) return ok(request);
  if (hasParameter(overloads, SCORE))
    return ok({ ...request, query: { ...query, scores: query.scores.filter(({ path }) => path.length > 0) } });
  if (query.unreadableScore !== undefined) return fail(query.unreadableScore);
  return ok({ ...request, query: { ...query, args: query.args.filter(([name]) => name !== SCORE) } });
}

function hasParameter(overloads: readonly Routine[], name: string): boolean {
  return overloads.some(({ parameters }) => parameters.some((parameter) => parameter.name === name));
}
