// Finds what a request asks for: an action with its statements, or a batch, perhaps under a key.
import type { HttpRequest } from './contract/http.ts';
import { ok, type Result } from './contract/result.ts';
import type { ApiError } from './errors/api-error.ts';
import type { KeyedAction } from './idempotency/answer-keyed.ts';
import { type KeyedRequest, readKeyedRequest } from './idempotency/keyed-request.ts';
import { prepareRequest } from './prepare-request.ts';
import { isBatch } from './request/is-batch.ts';
import { resolveLongQuery } from './request/long-query.ts';
import type { Work } from './request-context.ts';
import type { PreparedAction } from './sql/render-script.ts';

export type Task = PreparedAction | BatchTask | KeyedTask;

interface BatchTask {
  readonly kind: 'batch';
  /** Undefined without an idempotency key. */
  readonly keyed: KeyedRequest | undefined;
}

interface KeyedTask extends KeyedAction {
  readonly kind: 'keyed';
}

type FoundTask = Result<Task, ApiError>;

/** @returns the task itself, not a promise, if its plan is cached and its body is short */
export function findTask(work: Work): FoundTask | Promise<FoundTask> {
  const { request, context, planning } = work;
  if (request.method === 'GET') return prepareRequest(work);
  const resolved = resolveLongQuery(request, planning.settings, context.pause);
  return resolved instanceof Promise ? resolved.then((each) => findPurpose(each, work)) : findPurpose(resolved, work);
}

/**
 * A request with a body may have a key under which it can be repeated.
 *
 * @param resolved the request, or the one that it stands for
 */
function findPurpose(resolved: Result<HttpRequest, ApiError>, work: Work): FoundTask | Promise<FoundTask> {
  if (!resolved.ok) return resolved;
  work.request = resolved.value;
  const { request, identity, context, planning } = work;
  const hasKeys = context.config.dbIdempotencySchema !== undefined;
  const keyed = hasKeys ? readKeyedRequest(request, identity, context) : NO_KEY;
  if (!keyed.ok) return keyed;
  if (isBatch(request, planning.settings)) return ok({ kind: 'batch', keyed: keyed.value });
  return keyed.value === undefined ? prepareRequest(work) : prepareKeyed(keyed.value, work);
}

const NO_KEY = ok(undefined);

async function prepareKeyed(keyed: KeyedRequest, work: Work): Promise<FoundTask> {
  const prepared = await prepareRequest(work);
  if (!prepared.ok || prepared.value.kind === 'info' || prepared.value.kind === 'page') return prepared;
  return ok({ kind: 'keyed', keyed, prepared: prepared.value });
}
