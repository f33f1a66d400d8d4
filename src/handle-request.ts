// The path of a request through the stages. Each stage is a folder; this file is their table of contents.
import { answerEvents } from './answer-events.ts';
import { authenticate, findIdentity } from './auth/authenticate.ts';
import { answerBatch, type BatchAnswer } from './batch/answer-batch.ts';
import type { HttpRequest } from './contract/http.ts';
import { ok } from './contract/result.ts';
import type { ApiError } from './errors/api-error.ts';
import { describeError } from './errors/render-error.ts';
import { answerKeyed } from './idempotency/answer-keyed.ts';
import { findTask, type RequestWork, type Task } from './find-task.ts';
import { startPhases } from './observe/phases.ts';
import { type HandledRequest, NO_LOG_DETAILS } from './observe/request-report.ts';
import { errorContextOf, type RequestContext } from './request-context.ts';
import { answerUnauthenticated } from './response/answer-unauthenticated.ts';
import { buildInfoResponse } from './response/build-response.ts';
import { addEdgeHeaders, addServerTiming } from './response/edge-headers.ts';
import { addEntityTag } from './response/entity-tag.ts';
import { buildFailedResponse, refuse } from './response/failed-response.ts';
import { type Answer, answerOutcome, runPrepared, type Work } from './run-prepared.ts';
import type { PreparedScript } from './sql/render-script.ts';

/** A request that may be refused before all of it is known. */
type Finished = Pick<Work, 'request' | 'context' | 'phases'> & Partial<Work>;

export async function handleRequest(request: HttpRequest, context: RequestContext): Promise<HandledRequest> {
  const isOpen = request.method === 'OPTIONS' || context.explorer !== undefined;
  const early = isOpen ? answerUnauthenticated(request, context.edge, context.explorer) : undefined;
  if (early !== undefined) return { ...early, ...NO_LOG_DETAILS };
  const phases = startPhases(context);
  const authenticated = authenticate(request, context.auth);
  phases?.mark('jwt');
  if (!authenticated.ok) return finish(refuse(authenticated.error), { request, context, phases });
  const identity = authenticated.value;
  const { planning } = context;
  if (planning === undefined)
    return finish(refuse({ kind: 'schemaCacheMissing' }), { request, context, phases, identity });
  const work: RequestWork = {
    request,
    context,
    planning,
    phases,
    identity,
    keyed: undefined,
    script: undefined,
    legacyNames: [],
  };
  const found = findTask(work);
  const task = found instanceof Promise ? await found : found;
  if (!task.ok) return finish(refuse(task.error), work);
  if (task.value.kind === 'rows') work.legacyNames = task.value.action.legacyNames;
  const prepared = asTransaction(task.value, work);
  const answer =
    prepared === undefined
      ? answerOtherwise(task.value, work)
      : answerOutcome(await runPrepared(prepared, work), prepared, work);
  return finish(answer instanceof Promise ? await answer : answer, work);
}

/** Responds to a request that the server rejects before handling it, for example because its body is too large. */
export function refuseRequest(request: HttpRequest, error: ApiError, context: RequestContext): HandledRequest {
  const identity = error.kind === 'database' ? findIdentity(request, context.auth) : undefined;
  return finish(refuse(error), { request, context, phases: startPhases(context), ...(identity && { identity }) });
}

/** @returns the task if the outcome of one transaction is its response */
function asTransaction(task: Task, { keyed }: RequestWork): PreparedScript | undefined {
  if (keyed !== undefined) return undefined;
  return task.kind === 'describe' || (task.kind === 'rows' && task.action.events === undefined) ? task : undefined;
}

async function answerOtherwise(task: Task, work: RequestWork): Promise<Answer> {
  const { request, identity, planning, keyed } = work;
  const context = { ...work.context, cache: planning.context.cache };
  switch (task.kind) {
    case 'info':
    case 'page':
      return ok(buildInfoResponse(task, context));
    case 'batch':
      return note(await answerBatch(request, identity, { ...context, keyed }), work);
    case 'describe':
    case 'rows':
      if (keyed !== undefined)
        return note(await answerKeyed(keyed, { request, prepared: task, identity, context }), work);
      if (task.kind === 'rows') return answerEvents(task, work);
      throw new Error('a description is one transaction');
  }
}

function note({ answer, script }: BatchAnswer, work: Work): Answer {
  work.script = script;
  work.phases?.mark('transaction');
  return answer;
}

function finish(answer: Answer, finished: Finished): HandledRequest {
  const { request, context, phases, identity, script, legacyNames = [] } = finished;
  phases?.mark('response');
  if (!answer.ok) {
    const errors = errorContextOf(context, identity);
    const { error } = answer.error;
    const response = addEdgeHeaders(buildFailedResponse(answer.error, errors), request, context.edge);
    const failure = { error, ...describeError(error, errors) };
    return { kind: 'request', response, role: identity?.role, failure, script, legacyNames };
  }
  const tagged =
    context.digest === undefined ? answer.value : addEntityTag(answer.value, { request, identity, context });
  const timed = phases === undefined ? tagged : addServerTiming(tagged, phases.render());
  const response = addEdgeHeaders(timed, request, context.edge);
  return { kind: 'request', response, role: identity?.role, failure: undefined, script, legacyNames };
}
