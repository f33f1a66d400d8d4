// The trunk: runs a prepared action as one transaction and builds the response from its outcome. Actions without a
// transaction do not come here; extensions that answer requests themselves call the functions that they need.
import { isStream } from '../contract/body-stream.ts';
import type { HeaderList } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ScriptResult, ScriptResults } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isApiError } from '../errors/error-catalog.ts';
import { type HoldResponse, scriptContextOf, type Work } from './request-context.ts';
import { buildDescriptionResponse, buildPlanResponse, buildResponse } from '../response/build-response.ts';
import { type Answer, refuse } from '../response/failed-response.ts';
import { type PreparedDescription, type PreparedScript, renderHeldScript, renderScript } from '../sql/render-script.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';

export type Reply = Result<ScriptResults, ApiError>;

type Adapt = (script: TransactionScript) => TransactionScript;

/** @param adapt changes the script before it runs */
export function runPrepared(prepared: PreparedScript, work: Work, adapt?: Adapt): Promise<Reply> {
  const { request, identity, context } = work;
  const script = renderScript(prepared, scriptContextOf(request, identity, context));
  return runScript(adapt === undefined ? script : adapt(script), work);
}

/** @param sent the script with the segments around it, which the log does not show */
export function runScript(script: TransactionScript, work: Work, sent: TransactionScript = script): Promise<Reply> {
  work.script = script;
  work.phases?.mark('plan');
  return work.context.runScript(sent);
}

/** @returns the answer itself, not a promise, for rows */
export function answerOutcome(reply: Reply, prepared: PreparedScript, work: Work): Answer | Promise<Answer> {
  work.phases?.mark('transaction');
  if (!reply.ok) return explain(reply.error, prepared, work);
  const answer = respond(reply.value.at(-1) ?? reply.value[0], prepared, work);
  if (work.script?.afterCommit === undefined || answer instanceof Promise || !answer.ok) return answer;
  const headers = [...answer.value.headers, ...headersOf(lastOf(reply.value), work)];
  return ok({ ...answer.value, headers });
}

/** Answers a request whose response is known before its transaction ends. */
export async function answerHeld(prepared: PreparedScript, work: Work, hold: HoldResponse): Promise<Answer> {
  const script = renderHeldScript(prepared, scriptContextOf(work.request, work.identity, work.context));
  const held = hold(script, async (results) => respond(lastOf(results), prepared, work));
  if (!held.ok) return refuse(held.error);
  const reply = await runScript(script, work, held.value.script);
  work.phases?.mark('transaction');
  const { failure, response } = held.value;
  if (!reply.ok) return failure?.error === reply.error ? fail(failure) : explain(reply.error, prepared, work);
  if (response === undefined) return refuse({ kind: 'undecodableResult', details: 'no response' });
  return ok({ ...response, headers: [...response.headers, ...headersOf(lastOf(reply.value), work)] });
}

/** Responds to the result of one request, whether or not its transaction has ended. */
export function respond(result: ScriptResult, prepared: PreparedScript, work: Work): Answer | Promise<Answer> {
  const { context } = work;
  if (prepared.kind === 'describe') return describe(result, prepared, work);
  if (result.kind === 'lines') return ok(buildPlanResponse(prepared.action, result.lines, context));
  const { body } = result.outcome;
  if (!isStream(body) || !isApiError(body.failure)) return buildResponse(prepared, result.outcome, context);
  // No byte has been sent yet, so the error can still set the status.
  body.cancel();
  return explain(body.failure, prepared, work);
}

export async function explain(reported: ApiError, { action }: PreparedScript, work: Work): Promise<Answer> {
  const { correctError, hints, findKeyUse } = work.context.seams;
  const error = correctError?.(reported) ?? reported;
  if (error.kind === 'commitStatusUnknown') return refuse({ ...error, key: findKeyUse?.(work.request) });
  return refuse((await hints?.explainRefusal(error, action, work)) ?? error);
}

async function describe(result: ScriptResult, { action }: PreparedDescription, work: Work): Promise<Answer> {
  const { request, context, planning } = work;
  const { cache, events } = planning.context;
  const isWatchable = events?.has('rows') === true;
  return ok(await buildDescriptionResponse(action, result, { ...context, cache, request, isWatchable }));
}

/** Returns the headers that are known only when the transaction has ended, such as the log position of a write. */
export function headersOf(result: ScriptResult, { script, context }: Work): HeaderList {
  return (script?.afterCommit && context.seams.headers?.(script, result, context)) ?? [];
}

/** A nested write has several results, the last of which are its rows. */
export function lastOf(results: ScriptResults): ScriptResult {
  return results.at(-1) ?? results[0];
}
