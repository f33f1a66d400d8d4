// Determines how fresh a read must be: at least as new as the positions of the client's writes, which it sends in a
// header or a cookie of the same name (`docs/replicas.md`).
import type { HeaderList } from '../contract/http.ts';
import { allHeaders, listCookies } from '../contract/http.ts';
import { type Freshness, laterPosition, parseLogPosition } from '../contract/log-position.ts';

export interface PositionSource {
  /** Name of both the header and the cookie. */
  readonly name: string;
  readonly hasCookie: boolean;
}

/** @returns undefined if a position cannot be parsed: only the primary certainly includes it */
export function readFreshness(headers: HeaderList, { name, hasCookie }: PositionSource): Freshness | undefined {
  const cookies = hasCookie ? listCookies(headers).filter(([key]) => key === name) : [];
  let freshness: Freshness = 'any';
  for (const text of [...allHeaders(headers, name), ...cookies.map(([, value]) => value)]) {
    const position = parseLogPosition(text.trim());
    if (position === undefined) return undefined;
    freshness = freshness === 'any' ? position : laterPosition(freshness, position);
  }
  return freshness;
}
