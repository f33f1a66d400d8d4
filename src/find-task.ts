// Finds what a request asks for: an action with its statements, or a batch, perhaps under a key.
import { fail, ok, type Result } from './contract/result.ts';
import type { ApiError } from './errors/api-error.ts';
import { type KeyedRequest, readKeyedRequest } from './idempotency/keyed-request.ts';
import { prepareRequest } from './prepare-request.ts';
import { isBatch } from './request/is-batch.ts';
import { resolveLongQuery } from './request/long-query.ts';
import type { Work } from './run-prepared.ts';
import type { PreparedAction } from './sql/render-script.ts';

export type Task = PreparedAction | { readonly kind: 'batch' };
type FoundTask = Result<Task, ApiError>;

export interface RequestWork extends Work {
  /** Undefined for a request without an idempotency key. */
  keyed: KeyedRequest | undefined;
}

/** @returns the task itself, not a promise, if its plan is cached and its body is short */
export function findTask(work: RequestWork): FoundTask | Promise<FoundTask> {
  const { context, planning, identity, phases } = work;
  if (work.request.method !== 'GET') {
    const error = readPurpose(work);
    if (error !== undefined) return fail(error);
    if (isBatch(work.request, planning.settings)) return ok({ kind: 'batch' });
  }
  return prepareRequest(work.request, { planning, role: identity.role, phases }, context);
}

/** A request with a body may stand for another one, or have a key under which it can be repeated. */
function readPurpose(work: RequestWork): ApiError | undefined {
  const resolved = resolveLongQuery(work.request, work.planning.settings);
  if (!resolved.ok) return resolved.error;
  work.request = resolved.value;
  const keyed = readKeyedRequest(work.request, work.identity, work.context);
  if (!keyed.ok) return keyed.error;
  work.keyed = keyed.value;
  return undefined;
}
