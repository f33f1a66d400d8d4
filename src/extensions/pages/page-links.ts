// Renders the `Link` header of a keyset page (`beyond.md` §1.6, RFC 8288).
import type { HeaderList } from '../../contract/http.ts';
import { encodePageToken, type TokenRow } from './page-token.ts';
import { turnAround } from './page-position.ts';
import type { PagePosition, PagingPlan } from '../../plan/actions/action-plan.ts';

/** @param ends as `render-page.ts` describes; undefined if there are none, such as in a plan */
export function linkHeader(paging: PagingPlan, linkQuery: string, ends: string | undefined): HeaderList {
  if (ends === undefined) return [];
  const { order, position } = paging;
  const { after, before } = findNeighbors(ends, position);
  const link = (relation: string, token: string): string => {
    const query = [linkQuery, token].filter((part) => part !== '').join('&');
    return `<?${query}>; rel="${relation}"`;
  };
  const links = [
    ...(after === undefined ? [] : [link('next', `after=${encodePageToken(order, after)}`)]),
    ...(before === undefined ? [] : [link('prev', `before=${encodePageToken(order, before)}`)]),
    link('first', ''),
  ];
  return [['Link', links.join(', ')]];
}

/** Returns where the pages next to this one begin; undefined: there is no such page. */
function findNeighbors(
  ends: string,
  position: PagePosition | undefined,
): { readonly after: TokenRow | undefined; readonly before: TokenRow | undefined } {
  const parsed: unknown = JSON.parse(ends);
  const [first, last, hasMore, isBehind]: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  const [nearest, farthest] = [readValues(first), readValues(last)];
  const ahead = hasMore === true && farthest !== null ? { values: farthest, isInclusive: false } : undefined;
  // An empty page lies between the rows on both sides of its position.
  const isEmpty = farthest === null || nearest === null;
  const edge = isEmpty ? position && turnAround(position) : { values: nearest, isInclusive: false };
  const behind = isBehind === true ? edge : undefined;
  return position?.direction === 'before' ? { after: behind, before: ahead } : { after: ahead, before: behind };
}

function readValues(values: unknown): readonly (string | null)[] | null {
  return Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value : null)) : null;
}
