// Plans the transaction of a batch from its preferences and the methods of its requests (`beyond.md` §2.1).
import { findRoutines, type SchemaCache } from '../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { HeaderList } from '../../contract/http.ts';
import type { IsolationLevel } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { checkStrict } from '../../plan/actions/plan-output.ts';
import { isolationOf, planEnd } from '../../plan/actions/plan-transaction.ts';
import { parsePreferences, preferenceHeaders } from '../../request/preferences.ts';
import { resolveProfile } from '../../request/profile.ts';
import { parseTarget } from '../../request/target.ts';
import type { Batch, BatchRequest } from './body/batch.ts';
import type { Work } from '../../serve/request-context.ts';

/** The transaction of all requests. */
export interface BatchTransaction {
  readonly access: 'read only' | 'read write';
  readonly isolation: IsolationLevel | undefined;
  readonly end: 'commit' | 'rollback';
  readonly reportsPosition: boolean;
  readonly preferenceHeaders: HeaderList;
}

/** What all requests of a batch share. */
export interface BatchContext extends Batch {
  /** Of the batch itself. */
  readonly work: Work;
  readonly transaction: BatchTransaction;
}

export function planBatch(
  requests: readonly BatchRequest[],
  { request, context, planning }: Work,
): Result<BatchTransaction, ApiError> {
  const { config, dialect } = context;
  const { extensions, dbSchemas } = config;
  const preferences = parsePreferences(request.headers, { dialect, extensions });
  const error = checkStrict(preferences);
  if (error !== undefined) return fail(error);
  const profile = resolveProfile('POST', request.headers, dbSchemas);
  if (!profile.ok) return profile;
  const { schema } = profile.value;
  const { end, ineffective } = planEnd(preferences, config);
  const isReadOnly = requests.every((each) => isRead(each, schema, planning.context.cache));
  const reportsPosition = preferences.position === true && !isReadOnly && end === 'commit';
  return ok({
    access: isReadOnly ? 'read only' : 'read write',
    isolation: isolationOf(preferences),
    end,
    reportsPosition,
    preferenceHeaders: preferenceHeaders(
      preferences,
      'batch',
      reportsPosition ? ineffective : [...ineffective, 'position'],
    ),
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

/** @param request index of the request whose response exceeds the limit; undefined if the caller adds it */
export function responsesTooLarge({ work }: BatchContext, request?: number): ApiError {
  const { batchMaxResponse } = work.context.config;
  const limit = `The responses in a batch and the parts of them that references insert have up to ${batchMaxResponse} bytes together`;
  return { kind: 'limitExceeded', limit, option: 'batch-max-response', status: 400, request };
}
