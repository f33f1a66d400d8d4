// The API description as a response (`operations.md` §12.1).
import type { HeaderList, HttpResponse } from '../contract/http.ts';
import type { DescribeAction } from '../plan/action-plan.ts';
import { VARY } from './vary.ts';

export function buildDescriptionResponse(action: DescribeAction, document: Uint8Array): HttpResponse {
  const { contentType, contentProfile, isHead } = action;
  const profile: HeaderList = contentProfile === undefined ? [] : [['Content-Profile', contentProfile]];
  const headers = [['Content-Type', contentType] as const, ...profile, VARY];
  return { status: 200, headers, body: isHead ? undefined : document };
}
