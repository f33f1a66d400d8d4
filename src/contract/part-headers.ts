// The headers of a request that is sent inside another one, as in a batch (`beyond.md` §2.1). A gateway that sets or
// removes headers sees those of the outer request only, so a part has no others than those listed here.
import { isFraming, isSendable } from './http.ts';

/** Headers that have a meaning for a single request and none for a gateway. Errors and the documentation list them. */
export const PART_HEADERS = [
  'Accept',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'Range',
  'Range-Unit',
] as const;

/** Headers that the server reads from the outer request, for all its parts. No option allows them in a part. */
const SHARED_HEADERS: ReadonlySet<string> = new Set([
  'accept-profile',
  'authorization',
  'content-profile',
  'cookie',
  'forwarded',
  'host',
  'idempotency-key',
  'last-event-id',
  'origin',
  'referer',
  'sec-fetch-site',
  'traceparent',
  'x-forwarded-for',
  'x-forwarded-proto',
]);

const OWN_HEADERS: ReadonlySet<string> = new Set(PART_HEADERS.map((name) => name.toLowerCase()));

/**
 * @param name in lower case
 * @param further names that the operator allows, in lower case
 */
export function isPartHeader(name: string, further: readonly string[]): boolean {
  return OWN_HEADERS.has(name) || further.includes(name);
}

/** Whether the outer request alone may have the header. @param name in lower case */
export function isSharedHeader(name: string): boolean {
  return SHARED_HEADERS.has(name);
}

/** Whether an operator may allow the header in parts. @param name in lower case */
export function mayAllowInParts(name: string): boolean {
  return isSendable(name, '') && name !== '*' && !isSharedHeader(name) && !isFraming(name);
}
