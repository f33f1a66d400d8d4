// Finds what a request asks for: an action with its statements, or what an extension answers by itself.
import type { HttpRequest } from '../contract/http.ts';
import { ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { resolveLongQuery } from '../request/long-query.ts';
import type { PreparedAction } from '../sql/render-script.ts';
import { prepareRequest } from './prepare-request.ts';
import type { OwnTask, Work } from './request-context.ts';

export type Task = PreparedAction | { readonly kind: 'own'; readonly answer: OwnTask };

type FoundTask = Result<Task, ApiError>;

/** @returns the task itself, not a promise, if its plan is cached and its body is short */
export function findTask(work: Work): FoundTask | Promise<FoundTask> {
  const { request, context, planning } = work;
  if (request.method === 'GET') return prepareRequest(work);
  const resolved = resolveLongQuery(request, planning.settings, context.pause);
  return resolved instanceof Promise ? resolved.then((each) => findPurpose(each, work)) : findPurpose(resolved, work);
}

/** @param resolved the request, or the one that it stands for */
function findPurpose(resolved: Result<HttpRequest, ApiError>, work: Work): FoundTask | Promise<FoundTask> {
  if (!resolved.ok) return resolved;
  const { findOwnTask, hold } = work.context.seams;
  work.request = resolved.value;
  const held = hold?.(work);
  if (held?.ok === false) return held;
  work.hold = held?.value;
  const answer = findOwnTask?.(work.request);
  return answer === undefined ? prepareRequest(work) : ok({ kind: 'own', answer });
}
