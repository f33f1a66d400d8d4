// The path of a request through the stages. Each stage is a folder; this file is their table of contents.
import { answerEvents } from './answer-events.ts';
import { authenticate, type Identity } from './auth/authenticate.ts';
import { answerBatch, type BatchAnswer } from './batch/answer-batch.ts';
import type { HttpRequest, HttpResponse } from './contract/http.ts';
import { ok, type Result } from './contract/result.ts';
import type { ApiError } from './errors/api-error.ts';
import { describeError } from './errors/render-error.ts';
import { type HandledRequest, NO_LOG_DETAILS } from './observe/handled-request.ts';
import { type PhaseClock, startPhases } from './observe/phases.ts';
import { explainRefusal } from './plan/refusals/explain-refusal.ts';
import { answerKeyed } from './idempotency/answer-keyed.ts';
import { readKeyedRequest } from './idempotency/keyed-request.ts';
import { prepareRequest } from './prepare-request.ts';
import { isBatch } from './request/is-batch.ts';
import { resolveLongQuery } from './request/long-query.ts';
import { errorContextOf, planningOf, scriptContextOf, type RequestContext } from './request-context.ts';
import { answerUnauthenticated } from './response/answer-unauthenticated.ts';
import { answerDescription } from './response/description-response.ts';
import { buildInfoResponse, buildPlanResponse, buildResponse } from './response/build-response.ts';
import { failEarly } from './response/early-failure.ts';
import { addEntityTag } from './response/entity-tag.ts';
import { addEdgeHeaders, addServerTiming } from './response/edge-headers.ts';
import { buildFailedResponse, type FailedResponse, refuse } from './response/failed-response.ts';
import { renderScript } from './sql/render-script.ts';
import type { TransactionScript } from './sql/transaction-script.ts';

/** The state of a request, with `phases` if timings are requested. The access log reads it even if the request fails. */
interface RequestState {
  request: HttpRequest;
  readonly context: RequestContext;
  readonly phases: PhaseClock | undefined;
  identity: Identity | undefined;
  script: TransactionScript | undefined;
  legacyNames: HandledRequest['legacyNames'];
}

type Answer = Result<HttpResponse, FailedResponse>;

export async function handleRequest(request: HttpRequest, context: RequestContext): Promise<HandledRequest> {
  const early = answerUnauthenticated(request, context.edge, context.explorer);
  if (early !== undefined) return { ...early, ...NO_LOG_DETAILS };
  const state = createState(request, context);
  return finish(await answerRequest(state), state);
}

/** Responds to a request that the server rejects before handling it, for example because its body is too large. */
export function refuseRequest(request: HttpRequest, error: ApiError, context: RequestContext): HandledRequest {
  return finish(refuse(error), createState(request, context));
}

async function answerRequest(state: RequestState): Promise<Answer> {
  const { context, phases } = state;
  const identity = authenticate(state.request.headers, context.auth, state.request.mount?.session);
  phases?.mark('jwt');
  if (!identity.ok) return refuse(identity.error);
  state.identity = identity.value;
  if (context.cache === undefined) return refuse({ kind: 'schemaCacheMissing' });
  const { cache } = context;
  const planning = planningOf(context, cache);
  const resolved = resolveLongQuery(state.request, planning.settings);
  if (!resolved.ok) return refuse(resolved.error);
  const request = (state.request = resolved.value);
  const keyed = readKeyedRequest(request, identity.value, context);
  if (!keyed.ok) return refuse(keyed.error);
  if (isBatch(request, planning.settings))
    return noteScript(state, await answerBatch(request, identity.value, { ...context, cache, keyed: keyed.value }));
  const onParsed = phases && (() => phases.mark('parse'));
  const prepared = await prepareRequest(request, { planning, role: identity.value.role, onParsed }, context);
  if (!prepared.ok) return refuse(prepared.error);
  const plan = prepared.value;
  if (plan.kind === 'info' || plan.kind === 'page') return ok(buildInfoResponse(plan, context));
  if (plan.kind === 'rows') state.legacyNames = plan.action.legacyNames;
  if (keyed.value !== undefined) {
    const work = { request, prepared: plan, identity: identity.value, context: { ...context, cache } };
    return noteScript(state, await answerKeyed(keyed.value, work));
  }
  if (plan.kind === 'rows' && plan.action.events !== undefined)
    return noteScript(state, await answerEvents({ request, prepared: plan, identity: identity.value }, context));
  state.script = renderScript(plan, scriptContextOf(request, identity.value, context));
  phases?.mark('plan');
  const result = failEarly(await context.runScript(state.script));
  phases?.mark('transaction');
  if (!result.ok) return refuse(await explainRefusal(result.error, plan.action, state));
  const answered = result.value.at(-1) ?? result.value[0];
  if (plan.kind === 'describe')
    return ok(await answerDescription(plan.action, answered, { ...context, cache, request }));
  if (answered.kind === 'lines') return ok(buildPlanResponse(plan.action, answered.lines, context));
  return buildResponse(plan.action, answered.outcome, context);
}

function noteScript(state: RequestState, { answer, script }: BatchAnswer): Answer {
  state.script = script;
  state.phases?.mark('transaction');
  return answer;
}

function createState(request: HttpRequest, context: RequestContext): RequestState {
  const phases = startPhases(context.clock, context.config.serverTimingEnabled, context.trace?.onPhase);
  return { request, context, phases, identity: undefined, script: undefined, legacyNames: [] };
}

function finish(answer: Answer, state: RequestState): HandledRequest {
  const { request, context, phases, identity, script, legacyNames } = state;
  const errors = errorContextOf(context, identity);
  phases?.mark('response');
  const core = answer.ok
    ? addServerTiming(addEntityTag(answer.value, state), phases?.render())
    : buildFailedResponse(answer.error, errors);
  return {
    kind: 'request',
    response: addEdgeHeaders(core, request, context.edge),
    role: identity?.role,
    failure: answer.ok ? undefined : { error: answer.error.error, ...describeError(answer.error.error, errors) },
    script,
    legacyNames,
  };
}
