// Finds what a request asks for: an action with its statements, or a batch, perhaps under a key.
import type { HttpRequest } from './contract/http.ts';
import { ok, type Result } from './contract/result.ts';
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
  const { request, context, planning } = work;
  if (request.method === 'GET') return prepare(work);
  const resolved = resolveLongQuery(request, planning.settings, context.pause);
  return resolved instanceof Promise ? resolved.then((each) => findPurpose(each, work)) : findPurpose(resolved, work);
}

/**
 * A request with a body may have a key under which it can be repeated.
 *
 * @param resolved the request, or the one that it stands for
 */
function findPurpose(resolved: Result<HttpRequest, ApiError>, work: RequestWork): FoundTask | Promise<FoundTask> {
  if (!resolved.ok) return resolved;
  work.request = resolved.value;
  if (work.context.config.dbIdempotencySchema !== undefined) {
    const keyed = readKeyedRequest(work.request, work.identity, work.context);
    if (!keyed.ok) return keyed;
    work.keyed = keyed.value;
  }
  return isBatch(work.request, work.planning.settings) ? ok({ kind: 'batch' }) : prepare(work);
}

function prepare({ request, context, planning, identity, phases }: RequestWork): FoundTask | Promise<FoundTask> {
  return prepareRequest(request, { planning, role: identity.role, phases }, context);
}
