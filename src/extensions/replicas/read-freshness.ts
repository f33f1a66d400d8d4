// Determines how fresh a read must be: at least as new as the positions of the client's writes, which it sends in a
// header or a cookie of the same name (`docs/replicas.md`).
import type { AppConfig } from '../../config/table/app-config.ts';
import type { HeaderList } from '../../contract/http.ts';
import { allHeaders, listCookies } from '../../contract/http.ts';
import type { Freshness } from '../../sql/transaction-script.ts';
import { laterPosition, parseLogPosition } from '../../contract/log-position.ts';

/** How clients get the positions of their writes and send them with their reads. */
export interface PositionCarrier {
  /** Name of both the header and the cookie. */
  readonly name: string;
  readonly kind: AppConfig['dbReadYourWrites'];
}

/** @returns undefined if a position cannot be parsed: only the primary certainly includes it */
export function readFreshness(headers: HeaderList, { name, kind }: PositionCarrier): Freshness | undefined {
  if (kind === 'off') return 'any';
  const cookies = kind === 'cookie' ? listCookies(headers).filter(([key]) => key === name) : [];
  let freshness: Freshness = 'any';
  for (const text of [...allHeaders(headers, name), ...cookies.map(([, value]) => value)]) {
    const position = parseLogPosition(text.trim());
    if (position === undefined) return undefined;
    freshness = freshness === 'any' ? position : laterPosition(freshness, position);
  }
  return freshness;
}
