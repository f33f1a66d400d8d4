// The path of a request from authentication to its response. `service/request-handler.ts` calls it, after it has waited
// for keys and asked the extensions for routes of their own (`ServiceSeams.findRoute`).
import { authenticate, findIdentity } from '../auth/authenticate.ts';
import type { HttpRequest } from '../contract/http.ts';
import { ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { describeError } from '../errors/render-error.ts';
import { resolveLongQuery } from '../request/long-query.ts';
import type { PreparedAction } from '../sql/render-script.ts';
import { prepareRequest } from './prepare-request.ts';
import { startPhases } from '../observe/phases.ts';
import { type HandledRequest, NO_LOG_DETAILS } from '../observe/request-report.ts';
import { errorContextOf, type OwnTask, type RequestContext, type Work } from './request-context.ts';
import { answerUnauthenticated } from '../response/answer-unauthenticated.ts';
import { buildInfoResponse } from '../response/build-response.ts';
import { addEdgeHeaders, addServerTiming } from '../response/edge-headers.ts';
import { type Answer, buildFailedResponse, refuse } from '../response/failed-response.ts';
import { answerHeld, answerOutcome, runPrepared } from './run-prepared.ts';

export async function handleRequest(request: HttpRequest, context: RequestContext): Promise<HandledRequest> {
  const work = startWork(request, context);
  if ('error' in work) return finish(refuse(work.error), work);
  if ('kind' in work) return work;
  const found = findTask(work);
  const task = found instanceof Promise ? await found : found;
  if (!task.ok) return finish(refuse(task.error), work);
  switch (task.value.kind) {
    case 'rows':
    case 'events':
    case 'describe': {
      if (work.hold !== undefined) return finish(answerHeld(task.value, work, work.hold), work);
      if (task.value.kind === 'events' && context.seams.events !== undefined)
        return finish(context.seams.events.answer(task.value, work), work);
      return finish(answerOutcome(await runPrepared(task.value, work), task.value, work), work);
    }
    case 'own':
      return finish(task.value.answer(work), work);
    case 'info':
    case 'page':
      return finish(ok(buildInfoResponse(task.value, context)), work);
  }
}

/** An action with its statements, or what an extension answers by itself. */
type FoundTask = Result<PreparedAction | { readonly kind: 'own'; readonly answer: OwnTask }, ApiError>;

/** @returns the task itself, not a promise, if its plan is cached and its body is short */
function findTask(work: Work): FoundTask | Promise<FoundTask> {
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

/** Responds to a request that the server rejects before handling it, for example because its body is too large. */
export function refuseRequest(request: HttpRequest, error: ApiError, context: RequestContext): HandledRequest {
  const identity = error.kind === 'database' ? findIdentity(request, context.auth) : undefined;
  return finish(refuse(error), { request, context, phases: startPhases(context), ...(identity && { identity }) });
}

/** @returns the work, the response to a request that needs no identity, or why there is no work */
export function startWork(
  request: HttpRequest,
  context: RequestContext,
): Work | HandledRequest | (Finished & { readonly error: ApiError }) {
  const isOpen = request.method === 'OPTIONS' || context.explorer !== undefined;
  const early = isOpen ? answerUnauthenticated(request, context.edge, context.explorer) : undefined;
  if (early !== undefined) return { ...early, ...NO_LOG_DETAILS };
  const phases = startPhases(context);
  const { sender } = request;
  const identified = sender === undefined ? authenticate(request, context.auth) : ok(sender);
  phases?.mark('jwt');
  if (!identified.ok) return { error: identified.error, request, context, phases };
  const identity = identified.value;
  const usual = context.planning;
  const planning = (usual && context.seams.choosePlanning?.(usual, identity)) ?? usual;
  return planning === undefined
    ? { error: { kind: 'schemaCacheMissing' }, request, context, phases, identity }
    : { request, context, planning, phases, identity, hold: undefined, script: undefined, legacyNames: [] };
}

/** A request may be refused before all of it is known. */
type Finished = Pick<Work, 'request' | 'context' | 'phases'> & Partial<Work>;

/** Adds the headers of every response, and what the log needs. */
function finish(answer: Answer, finished: Finished): HandledRequest;
function finish(answer: Answer | Promise<Answer>, finished: Finished): HandledRequest | Promise<HandledRequest>;
function finish(answer: Answer | Promise<Answer>, finished: Finished): HandledRequest | Promise<HandledRequest> {
  if (answer instanceof Promise) return answer.then((each) => finish(each, finished));
  const { request, context, phases, identity, script, legacyNames = [] } = finished;
  phases?.mark('response');
  if (!answer.ok) {
    const errors = errorContextOf(context, identity);
    const { error } = answer.error;
    const response = addEdgeHeaders(buildFailedResponse(answer.error, errors), request, context.edge);
    const failure = { error, ...describeError(error, errors) };
    return { kind: 'request', response, role: identity?.role, failure, script, legacyNames };
  }
  const tagged = context.seams.tag?.(answer.value, finished) ?? answer.value;
  const timed = phases === undefined ? tagged : addServerTiming(tagged, phases.render());
  const response = addEdgeHeaders(timed, request, context.edge);
  return { kind: 'request', response, role: identity?.role, failure: undefined, script, legacyNames };
}
