// Collects what a request says about keyset pages: tokens, the preference, and the query string for links
// (`beyond.md` §1.6).
import type { HttpRequest } from '../../contract/http.ts';
import type { PageRequest } from '../../request/api-request.ts';
import type { PageSource } from '../../request/parse-request.ts';
import { splitQuery } from '../../request/query/split-query.ts';
import { hasRangeHeader } from '../../request/range.ts';

/** @returns undefined if the request does not use pages */
export function readPageRequest(
  { method, headers, rawQuery }: HttpRequest,
  { query: { pages: tokens, ranges }, preferences: { paging }, maxUrlLength }: PageSource,
): PageRequest | undefined {
  if (paging === undefined && tokens.length === 0) return undefined;
  const top = ranges.find(({ path }) => path.length === 0)?.value;
  return {
    tokens,
    // Nobody could follow a longer link.
    linkQuery: paging && rawQuery.length <= maxUrlLength ? withoutTokens(rawQuery, tokens) : undefined,
    hasOffset: top?.offset !== undefined || (method === 'GET' && hasRangeHeader(headers)),
  };
}

function withoutTokens(rawQuery: string, tokens: PageRequest['tokens']): string {
  const known = new Set(tokens.map(({ value }) => `${value.direction}=${value.text}`));
  const isToken = (piece: string): boolean => {
    const [parameter] = known.size === 0 ? [] : splitQuery(piece);
    return parameter !== undefined && known.has(`${parameter.name}=${parameter.value}`);
  };
  // The text stays as sent, except for characters that do not belong in a URL.
  return rawQuery
    .split('&')
    .filter((piece) => piece !== '' && !isToken(piece))
    .join('&')
    .replaceAll(UNSAFE_IN_LINK, (character) =>
      encodeURIComponent(LONE_SURROGATE.test(character) ? '\uFFFD' : character),
    );
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const UNSAFE_IN_LINK = /[^\w.~!$&'()*+,;=:@/?%-]/gu;
