// Headers of a read → how old what it sees may be: the positions of the client's writes, in the header or the cookie that
// bears their name (`docs/replicas.md`).
import type { HeaderList } from '../contract/http.ts';
import { allHeaders, listCookies } from '../contract/http.ts';
import { type Freshness, laterPosition, parseLogPosition } from '../contract/log-position.ts';

export interface PositionSource {
  /** Of the header and of the cookie. */
  readonly name: string;
  readonly hasCookie: boolean;
}

/** @returns undefined where a position cannot be read: only the primary is sure not to be behind it */
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
