// Collects what a request says about keyset pages: tokens, the preference, and the query string for links
// (`beyond.md` §1.6).
import type { HttpRequest } from '../contract/http.ts';
import type { Preferences } from './preferences.ts';
import type { Addressed, PageToken, QueryParams } from './query/query-params.ts';
import { splitQuery } from './query/split-query.ts';
import { hasRangeHeader } from './range.ts';

export interface PageRequest {
  readonly tokens: readonly Addressed<PageToken>[];
  /** The query string without tokens; undefined: the response has no links. */
  readonly linkQuery: string | undefined;
  /** The rows are also selected by number. */
  readonly hasOffset: boolean;
}

export interface PageSource {
  readonly query: QueryParams;
  readonly preferences: Preferences;
  /** In characters. */
  readonly maxUrlLength: number;
}

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
  return encodeForLink(
    rawQuery
      .split('&')
      .filter((piece) => piece !== '' && !isToken(piece))
      .join('&'),
  );
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const UNSAFE_IN_LINK = /[^\w.~!$&'()*+,;=:@/?%-]/gu;

/** Keeps the text as sent, except for characters that do not belong in a URL. */
function encodeForLink(query: string): string {
  return query.replaceAll(UNSAFE_IN_LINK, (character) =>
    encodeURIComponent(LONE_SURROGATE.test(character) ? '\uFFFD' : character),
  );
}
