// Renders the `Link` header of a keyset page (`beyond.md` §1.6, RFC 8288).
import type { HeaderList } from '../contract/http.ts';
import { encodePageToken, type TokenRow } from '../plan/actions/page-token.ts';
import type { PagingPlan } from '../plan/actions/plan-paging.ts';
import { turnAround } from '../plan/levels/page-position.ts';
import type { PagePosition } from '../plan/levels/read-plan.ts';

/** Where the pages next to this one begin; undefined: there is no such page. */
interface Neighbors {
  readonly after: TokenRow | undefined;
  readonly before: TokenRow | undefined;
}

type Values = readonly (string | null)[];

/** @param ends as `sql/render-page.ts` describes; undefined if there are none, such as in a plan */
export function linkHeader(paging: PagingPlan | undefined, linkQuery: string, ends: string | undefined): HeaderList {
  if (paging === undefined || ends === undefined) return [];
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

function findNeighbors(ends: string, position: PagePosition | undefined): Neighbors {
  const [nearest, farthest, hasMore, isBehind] = parseEnds(ends);
  const ahead = hasMore && farthest !== null ? rowOf(farthest) : undefined;
  // An empty page lies between the rows on both sides of its position.
  const edge = farthest === null || nearest === null ? position && turnAround(position) : rowOf(nearest);
  const behind = isBehind ? edge : undefined;
  return position?.direction === 'before' ? { after: behind, before: ahead } : { after: ahead, before: behind };
}

function rowOf(values: Values): TokenRow {
  return { values, isInclusive: false };
}

function parseEnds(ends: string): readonly [Values | null, Values | null, boolean, boolean] {
  const parsed: unknown = JSON.parse(ends);
  const [nearest, farthest, hasMore, isBehind]: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  return [readValues(nearest), readValues(farthest), hasMore === true, isBehind === true];
}

function readValues(values: unknown): Values | null {
  return Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value : null)) : null;
}
