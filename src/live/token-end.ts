// Finds when the token of a stream expires.
import { CLOCK_SKEW } from '../auth/claims.ts';
import { parseJsonObject } from '../util/json-object.ts';

/**
 * Returns milliseconds since the epoch; undefined if the claims have no end. A token that is accepted although its time
 * is over, because clocks differ, ends when it is no longer accepted.
 */
export function findTokenEnd(claimsText: string, now: number): number | undefined {
  const expiry = parseJsonObject(claimsText)?.['exp'];
  if (typeof expiry !== 'number') return undefined;
  const end = expiry * 1000;
  return end > now ? end : end + CLOCK_SKEW * 1000;
}
