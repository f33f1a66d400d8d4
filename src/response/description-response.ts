// Builds the response that contains the API description (`operating.md` §12.1).
import type { HeaderList, HttpResponse } from '../contract/http.ts';
import type { DescribeAction } from '../plan/actions/action-plan.ts';
import { varyHeader, type VaryContext } from './vary.ts';

export function buildSchemaResponse(action: DescribeAction, document: Uint8Array, context: VaryContext): HttpResponse {
  const { contentType, contentProfile, isHead } = action;
  const profile: HeaderList = contentProfile === undefined ? [] : [['Content-Profile', contentProfile]];
  const headers = [['Content-Type', contentType] as const, ...profile, varyHeader(context)];
  return { status: 200, headers, body: isHead ? undefined : document };
}
