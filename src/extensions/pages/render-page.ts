// Renders the rows of a keyset page, and the ends of the page for its links (`beyond.md` §1.6).
import type { PagingPlan } from '../../plan/actions/action-plan.ts';
import { turnAround, directOrder } from './page-position.ts';
import { type EmbedPlan, type ReadPlan, countPresenceTests, hasRequiredEmbed } from '../../plan/levels/read-plan.ts';
import type { LevelPlace } from '../../sql/levels/embed-outputs.ts';
import {
  renderKeys,
  renderRows,
  joinClauses,
  renderOrder,
  renderOwnOrder,
  renderRange,
} from '../../sql/levels/read.ts';
import { renderCondition } from '../../sql/levels/condition.ts';
import type { Source } from '../../sql/levels/from.ts';
import { renderSegments } from './keyset.ts';
import { Scope } from '../../sql/levels/scope.ts';

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

/** If the order depends on embeds, the position becomes one condition of the level. */
function seekPage(
  read: ReadPlan,
  { position, relation }: Pick<PagingPlan, 'position' | 'relation'>,
  { source, builder }: LevelPlace,
): { readonly plan: ReadPlan; readonly source: Source } {
  const order = directOrder(read.order, position);
  const plan = { ...read, order };
  if (position === undefined) return { plan, source };
  const render = (values: readonly string[]): readonly string[] => renderSegments(order, position, values, builder);
  const terms = order.flatMap((term) => (term.kind === 'field' ? [term] : []));
  if (terms.length < order.length) return { plan, source: { ...source, seek: (values) => anyOf(render(values)) } };
  const scope = new Scope(builder, source);
  const values = terms.map((term) => renderOwnOrder(term, scope));
  const segments = render(values);
  if (segments.length <= 1)
    return { plan, source: { ...source, conditions: [...source.conditions, segments[0] ?? 'FALSE'] } };
  // Each segment is read by itself, in order and no further than the page, because PostgreSQL cannot start an index scan
  // at a position that is made of alternatives.
  const isOwn = (condition: ReadPlan['where'][number]): boolean => countPresenceTests([condition]).size === 0;
  const own = plan.where.filter(isOwn).map((condition) => renderCondition(condition, scope, () => 'TRUE'));
  const where = plan.where.filter((condition) => !isOwn(condition));
  const isEnough = where.length === 0 && !hasRequiredEmbed(plan);
  const end = [renderOrder(order, values), isEnough ? renderRange(plan.range, builder) : ''];
  const parts = segments.map((segment) => {
    const condition = [...source.conditions, ...own, segment].join(' AND ');
    return `(${joinClauses([`SELECT ${source.ref}.* FROM ${source.from} WHERE ${condition}`, ...end])})`;
  });
  const from = `(${parts.join(' UNION ALL ')}) AS ${source.ref}`;
  return { plan: { ...plan, where }, source: { ...source, conditions: [], from, relation } };
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'FALSE' : `(${conditions.map((one) => `(${one})`).join(' OR ')})`;
}
