// The trunk of all answers: runs a prepared action as one transaction, and makes the response of its outcome.
import type { Identity } from './auth/authenticate.ts';
import { isStream } from './contract/body-stream.ts';
import type { HttpRequest, HttpResponse } from './contract/http.ts';
import { ok, type Result } from './contract/result.ts';
import type { ScriptResult, ScriptResults } from './contract/transaction.ts';
import type { ApiError } from './errors/api-error.ts';
import { isApiError } from './errors/error-catalog.ts';
import type { LegacyName } from './plan/levels/select-tree.ts';
import type { PhaseClock } from './observe/phases.ts';
import type { Planning } from './prepare/plan-cache.ts';
import { explainRefusal } from './plan/refusals/explain-refusal.ts';
import { type RequestContext, scriptContextOf } from './request-context.ts';
import { buildPlanResponse, buildResponse } from './response/build-response.ts';
import { answerDescription } from './response/description-response.ts';
import { type FailedResponse, refuse } from './response/failed-response.ts';
import { type PreparedDescription, type PreparedScript, renderScript } from './sql/render-script.ts';
import type { TransactionScript } from './sql/transaction-script.ts';

/** An authenticated request on its way. */
export interface Work {
  /** A long query has become the GET that it means. */
  request: HttpRequest;
  readonly context: RequestContext;
  readonly planning: Planning;
  readonly identity: Identity;
  /** Undefined if nobody wants to know the timings. */
  readonly phases: PhaseClock | undefined;
  /** The transaction and the deprecated names, for the log. */
  script: TransactionScript | undefined;
  legacyNames: readonly LegacyName[];
}

export type Answer = Result<HttpResponse, FailedResponse>;
export type Reply = Result<ScriptResults, ApiError>;

export function runPrepared(prepared: PreparedScript, work: Work): Promise<Reply> {
  const { request, context, identity, phases } = work;
  const script = renderScript(prepared, scriptContextOf(request, identity, context));
  work.script = script;
  phases?.mark('plan');
  return context.runScript(script);
}

/** @returns the answer itself, not a promise, for rows */
export function answerOutcome(reply: Reply, prepared: PreparedScript, work: Work): Answer | Promise<Answer> {
  const { context, phases } = work;
  phases?.mark('transaction');
  if (!reply.ok) return explain(reply.error, prepared, work);
  const answered = reply.value.at(-1) ?? reply.value[0];
  if (prepared.kind === 'describe') return describe(answered, prepared, work);
  if (answered.kind === 'lines') return ok(buildPlanResponse(prepared.action, answered.lines, context));
  const { body } = answered.outcome;
  if (!isStream(body) || !isApiError(body.failure)) return buildResponse(prepared, answered.outcome, context);
  // No byte has been sent yet, so the error can still set the status.
  body.cancel();
  return explain(body.failure, prepared, work);
}

async function explain(error: ApiError, { action }: PreparedScript, work: Work): Promise<Answer> {
  return refuse(await explainRefusal(error, action, work));
}

async function describe(answered: ScriptResult, { action }: PreparedDescription, work: Work): Promise<Answer> {
  const { request, context, planning } = work;
  const { cache } = planning.context;
  return ok(await answerDescription(action, answered, { ...context, cache, request }));
}
