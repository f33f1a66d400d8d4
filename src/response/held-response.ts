// Builds the response to a request of any kind before its transaction ends.
import { ok, type Result } from '../contract/result.ts';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import type { DescriptionContext } from '../openapi/describe-schema.ts';
import { checkOutcome } from '../plan/actions/check-outcome.ts';
import type { PreparedScript } from '../sql/render-script.ts';
import { buildPlanResponse, buildResponse, type ResponseContext } from './build-response.ts';
import { answerDescription } from './description-response.ts';
import { type FailedResponse, refuse } from './failed-response.ts';

export interface HeldResult {
  readonly prepared: PreparedScript;
  readonly request: HttpRequest;
  readonly result: ScriptResult;
}

/** The response has no log position, which is not known before the end. */
export async function buildHeldResponse(
  { prepared, request, result }: HeldResult,
  context: Omit<DescriptionContext, 'request'> & ResponseContext,
): Promise<Result<HttpResponse, FailedResponse>> {
  if (prepared.kind === 'describe')
    return ok(await answerDescription(prepared.action, result, { ...context, request }));
  if (result.kind === 'lines') return ok(buildPlanResponse(prepared.action, result.lines, context));
  const violation = checkOutcome(prepared.action.checks, result.outcome);
  if (violation !== undefined) return refuse(violation);
  return buildResponse(prepared, result.outcome, { ...context, config: { ...context.config, dbUriReplicas: [] } });
}
