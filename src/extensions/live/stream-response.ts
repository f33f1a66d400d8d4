// Adapts the response to a read to a stream of events, which has no range, is never complete and must not be kept.
import type { BodyStream } from '../../contract/body-stream.ts';
import type { HeaderList, HttpResponse } from '../../contract/http.ts';
import { ok, type Result } from '../../contract/result.ts';
import { varyHeader, type VaryContext } from '../../response/vary.ts';
import type { FailedResponse } from '../../response/failed-response.ts';

/** Headers that describe a complete set of rows. */
const COMPLETE = /^(?:content-location|content-range|link|range-unit)$/iu;

/** Proxies such as nginx would otherwise collect events before they pass them on. */
const STREAMING: HeaderList = [
  ['Cache-Control', 'no-store'],
  ['X-Accel-Buffering', 'no'],
];

export function describeStream(response: Result<HttpResponse, FailedResponse>): Result<HttpResponse, FailedResponse> {
  if (!response.ok) return response;
  const { headers } = response.value;
  const own = STREAMING.filter(([name]) => !headers.some(([other]) => other.toLowerCase() === name.toLowerCase()));
  return ok({ ...response.value, headers: [...headers.filter(([name]) => !COMPLETE.test(name)), ...own] });
}

/** @param body undefined for a HEAD */
export function buildStreamResponse(
  headers: HeaderList,
  body: BodyStream | undefined,
  context: VaryContext,
): HttpResponse {
  return { status: 200, headers: [...headers, varyHeader(context), ...STREAMING], body };
}
