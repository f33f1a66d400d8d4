// Plans the transaction of a batch from its preferences and the methods of its requests (`beyond.md` §2.1).
import { findRoutines, type SchemaCache } from '../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { HttpRequest } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';
import { checkStrict } from '../plan/actions/plan-output.ts';
import { isolationOf, planEnd } from '../plan/actions/plan-transaction.ts';
import { parsePreferences, renderApplied } from '../request/preferences.ts';
import { resolveProfile } from '../request/profile.ts';
import { parseTarget } from '../request/target.ts';
import type { BatchRequest } from '../request/batch/batch.ts';
import type { RequestContext } from '../request-context.ts';
import type { BatchTransaction } from './batch-context.ts';

export function planBatch(
  outer: HttpRequest,
  requests: readonly BatchRequest[],
  { config, dialect, cache }: RequestContext & { readonly cache: SchemaCache },
): Result<BatchTransaction, ApiError> {
  const { extensions, dbSchemas } = config;
  const preferences = parsePreferences(outer.headers, { dialect, extensions });
  const error = checkStrict(preferences);
  if (error !== undefined) return fail(error);
  const profile = resolveProfile('POST', outer.headers, dbSchemas);
  if (!profile.ok) return profile;
  const { schema } = profile.value;
  const { end, ineffective } = planEnd(preferences, config);
  return ok({
    access: requests.every((request) => isRead(request, schema, cache)) ? 'read only' : 'read write',
    isolation: isolationOf(preferences),
    end,
    preferencesApplied: renderApplied(preferences, 'batch', ineffective),
  });
}

/** Calls by POST are reads if no function of that name is volatile. */
function isRead({ method, target: [path] }: BatchRequest, schema: string, cache: SchemaCache): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const target = typeof path === 'string' ? parseTarget(path.split('?')[0] ?? '') : undefined;
  if (method !== 'POST' || target?.ok !== true || target.value.kind !== 'routine') return false;
  const routines = findRoutines(cache, { schema, name: target.value.name });
  return routines.length > 0 && routines.every(({ volatility }) => volatility !== 'volatile');
}
