// Renders the rows of a keyset page, and the ends of the page for its links (`beyond.md` §1.6).
import type { PagingPlan } from '../../plan/actions/action-plan.ts';
import { turnAround } from './page-position.ts';
import type { EmbedPlan, ReadPlan } from '../../plan/levels/read-plan.ts';
import type { LevelPlace } from '../../sql/levels/embed-outputs.ts';
import { renderKeys, renderRows } from '../../sql/levels/read.ts';
import { seekPage } from './seek.ts';

export function renderPageRows(read: ReadPlan, paging: PagingPlan, place: LevelPlace): string {
  const { builder } = place;
  const { plan, source } = seekPage(read, paging, place);
  const rows = renderRows(plan, source, builder);
  if (paging.position?.direction !== 'before') return rows;
  const found = builder.alias();
  return `SELECT ${found}.* FROM (${rows}) AS ${found} ORDER BY row_number() OVER () DESC`;
}

/**
 * Renders a JSON array: the values of the order in the rows of the page that were found first and last, whether more
 * rows can be found, and whether there are rows on the other side of the position. The statement reads the keys again,
 * so that the rows keep the form that every delivery expects.
 */
export function renderPageEnds(read: ReadPlan, paging: PagingPlan, place: LevelPlace): string {
  const { builder } = place;
  const limit = read.range.limit ?? 0;
  const keys = { ...read, select: [], embeds: hideEmbeds(read) };
  const find = (page: PagingPlan, count: number): string => {
    const sought = seekPage({ ...keys, range: { offset: 0, limit: count } }, page, place);
    return `(${renderKeys(sought.plan, sought.source, builder)}) AS ${builder.alias()}`;
  };
  const size = `${builder.bind(String(limit))}::bigint`;
  const found = `(SELECT array_agg("k") AS "a", count(*) AS "n" FROM ${find(paging, limit + 1)}) AS ${builder.alias()}`;
  const { position } = paging;
  const isBehind =
    position === undefined
      ? 'FALSE'
      : `(SELECT count(*) FROM ${find({ ...paging, position: turnAround(position) }, 1)}) > 0`;
  return `(SELECT json_build_array("a"[1], "a"[least("n", ${size})::int], "n" > ${size}, ${isBehind}) FROM ${found})`;
}

/** Keeps what the order needs, and the tests of which rows there are. */
function hideEmbeds({ embeds, order }: ReadPlan): readonly EmbedPlan[] {
  const ordered = new Set(order.map((term) => (term.kind === 'related' ? term.embed : undefined)));
  return embeds.map((embed, position) => (ordered.has(position) ? embed : { ...embed, shape: 'hidden' }));
}
