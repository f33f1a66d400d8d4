// Builds the response that contains the API description (`operating.md` §12.1).
import type { HeaderList, HttpResponse } from '../contract/http.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import { describeSchema, type DescriptionContext } from '../openapi/describe-schema.ts';
import type { DescribeAction } from '../plan/actions/action-plan.ts';
import { varyHeader, type VaryContext } from './vary.ts';

/** @param result of the action's transaction */
export async function answerDescription(
  action: DescribeAction,
  result: ScriptResult,
  context: DescriptionContext & VaryContext,
): Promise<HttpResponse> {
  const document = await describeSchema(action, result, context);
  const { contentType, contentProfile, isHead } = action;
  const profile: HeaderList = contentProfile === undefined ? [] : [['Content-Profile', contentProfile]];
  const headers = [['Content-Type', contentType] as const, ...profile, varyHeader(context)];
  return { status: 200, headers, body: isHead ? undefined : document };
}
