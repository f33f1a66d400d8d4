// Finds when the token of a stream expires.
import { CLOCK_SKEW } from '../../../auth/claims.ts';
import { parseJsonObject } from '../../../util/json-object.ts';

/**
 * Returns milliseconds since the epoch; undefined if the token does not expire. An expired token may still be accepted
 * for a while, because clocks differ; the stream ends when it is no longer accepted.
 */
export function findTokenEnd(claimsText: string, now: number): number | undefined {
  const expiry = parseJsonObject(claimsText)?.['exp'];
  if (typeof expiry !== 'number') return undefined;
  const end = expiry * 1000;
  return end > now ? end : end + CLOCK_SKEW * 1000;
}
