// The path of a request through the stages. Each stage is a folder; this file is their table of contents.
import { authenticate, type Identity } from './auth/authenticate.ts';
import type { HttpRequest, HttpResponse } from './contract/http.ts';
import { ok, type Result } from './contract/result.ts';
import { runSlicesWithPauses } from './util/slices.ts';
import type { ApiError } from './errors/api-error.ts';
import { describeError } from './errors/render-error.ts';
import type { HandledRequest } from './observe/handled-request.ts';
import { PhaseClock } from './observe/phases.ts';
import { describeSchema } from './openapi/describe-schema.ts';
import { explainRefusal } from './plan/refusals/explain-refusal.ts';
import { planWithVisibleNames } from './plan/plan-with-visible-names.ts';
import type { LegacyName } from './plan/levels/select-tree.ts';
import type { Planning } from './prepare/plan-cache.ts';
import { resolveLongQuery } from './request/long-query.ts';
import { parseRequest } from './request/parse-request.ts';
import { edgeSettingsOf, errorContextOf, planningOf, scriptContextOf, type RequestContext } from './request-context.ts';
import { answerUnauthenticated } from './response/answer-unauthenticated.ts';
import { buildSchemaResponse } from './response/description-response.ts';
import { buildInfoResponse, buildPlanResponse, buildResponse } from './response/build-response.ts';
import { failEarly } from './response/early-failure.ts';
import { addEntityTag } from './response/entity-tag.ts';
import { addEdgeHeaders, addServerTiming } from './response/edge-headers.ts';
import { buildFailedResponse, refuse, type FailedResponse } from './response/failed-response.ts';
import { prepareAction, type PreparedAction, renderScript } from './sql/render-script.ts';
import type { TransactionScript } from './sql/transaction-script.ts';

/** The state of a request. The access log reads it even if the request fails. */
interface RequestState {
  request: HttpRequest;
  readonly context: RequestContext;
  /** Undefined if no timings are requested. */
  readonly phases: PhaseClock | undefined;
  identity: Identity | undefined;
  script: TransactionScript | undefined;
  legacyNames: readonly LegacyName[];
}

const NO_LOG_DETAILS = { role: undefined, failure: undefined, script: undefined, legacyNames: [] };
type Answer = Result<HttpResponse, FailedResponse>;
type Prepared = Result<PreparedAction, ApiError>;

export async function handleRequest(request: HttpRequest, context: RequestContext): Promise<HandledRequest> {
  const answer = answerUnauthenticated(request, edgeSettingsOf(context), context.explorer);
  if (answer !== undefined) return { ...answer, ...NO_LOG_DETAILS };
  const state = createState(request, context);
  return finish(await answerRequest(state), state);
}

/** Responds to a request that the server rejects before handling it, for example because its body is too large. */
export function refuseRequest(request: HttpRequest, error: ApiError, context: RequestContext): HandledRequest {
  return finish(refuse(error), createState(request, context));
}

async function answerRequest(state: RequestState): Promise<Answer> {
  const { request, context, phases } = state;
  const identity = authenticate(request.headers, context.auth, request.mount?.session);
  phases?.mark('jwt');
  if (!identity.ok) return refuse(identity.error);
  state.identity = identity.value;
  if (context.cache === undefined) return refuse({ kind: 'schemaCacheMissing' });
  const prepared = await prepare(state, identity.value.role, planningOf(context, context.cache));
  if (!prepared.ok) return refuse(prepared.error);
  const plan = prepared.value;
  if (plan.kind === 'info' || plan.kind === 'page') return ok(buildInfoResponse(plan, context));
  if (plan.kind === 'rows') state.legacyNames = plan.action.legacyNames;
  state.script = renderScript(plan, scriptContextOf(state.request, identity.value, context));
  phases?.mark('plan');
  const result = failEarly(await context.runScript(state.script));
  phases?.mark('transaction');
  if (!result.ok) return refuse(await explainRefusal(result.error, plan.action, state));
  const [answered] = result.value;
  if (plan.kind === 'describe') {
    const document = await describeSchema(plan.action, answered, { ...context, cache: context.cache, request });
    return ok(buildSchemaResponse(plan.action, document, context));
  }
  if (answered.kind === 'explain') return ok(buildPlanResponse(plan.action, answered.lines, context));
  return buildResponse(plan.action, answered.outcome, context);
}

/** Parses and plans the request. If a request of the same shape was planned before, only fills in its values. */
async function prepare(state: RequestState, role: string, planning: Planning): Promise<Prepared> {
  const { context, phases } = state;
  const resolved = resolveLongQuery(state.request, planning.settings);
  if (!resolved.ok) return resolved;
  const request = (state.request = resolved.value);
  const cached = await runSlicesWithPauses(context.plans.prepare(request, planning), context.pause);
  phases?.mark('parse');
  if (cached !== undefined) return cached;
  const parsed = await parseRequest(request, planning.settings, context.pause);
  phases?.mark('parse');
  if (!parsed.ok) return parsed;
  const planned = await planWithVisibleNames(parsed.value, planning.context, () => context.findVisibleNames(role));
  return planned.ok ? ok(prepareAction(planned.value, context.dialect)) : planned;
}

function createState(request: HttpRequest, context: RequestContext): RequestState {
  const phases = context.config.serverTimingEnabled ? new PhaseClock(context.clock) : undefined;
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
    response: addEdgeHeaders(core, request, edgeSettingsOf(context)),
    role: identity?.role,
    failure: answer.ok ? undefined : { error: answer.error.error, ...describeError(answer.error.error, errors) },
    script,
    legacyNames,
  };
}
