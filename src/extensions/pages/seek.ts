// Moves the position of a page into the source of its level, where indexes serve it (`beyond.md` §1.6).
import type { PagingPlan } from '../../plan/actions/action-plan.ts';
import { directOrder } from './page-position.ts';
import { countPresenceTests, hasRequiredEmbed, type ReadPlan } from '../../plan/levels/read-plan.ts';
import { renderCondition } from '../../sql/levels/condition.ts';
import type { LevelPlace } from '../../sql/levels/embed-outputs.ts';
import type { Source } from '../../sql/levels/from.ts';
import { renderSegments } from './keyset.ts';
import { joinClauses, renderOrder, renderOwnOrder, renderRange } from '../../sql/levels/read.ts';
import { Scope } from '../../sql/levels/scope.ts';

interface Sought {
  /** In the order in which the rows are found. */
  readonly plan: ReadPlan;
  readonly source: Source;
}

/** If the order depends on embeds, the position becomes one condition of the level. */
export function seekPage(
  read: ReadPlan,
  { position, relation }: Pick<PagingPlan, 'position' | 'relation'>,
  { source, builder }: LevelPlace,
): Sought {
  const order = directOrder(read.order, position);
  const plan = { ...read, order };
  if (position === undefined) return { plan, source };
  const render = (values: readonly string[]): readonly string[] => renderSegments(order, position, values, builder);
  const terms = order.flatMap((term) => (term.kind === 'field' ? [term] : []));
  if (terms.length < order.length) return { plan, source: { ...source, seek: (values) => anyOf(render(values)) } };
  const scope = new Scope(builder, source);
  const values = terms.map((term) => renderOwnOrder(term, scope));
  const segments = render(values);
  if (segments.length > 1) return unite(plan, source, { scope, values, segments, relation });
  return { plan, source: { ...source, conditions: [...source.conditions, segments[0] ?? 'FALSE'] } };
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'FALSE' : `(${conditions.map((one) => `(${one})`).join(' OR ')})`;
}

interface Segments {
  readonly scope: Scope;
  /** SQL of the value of each term of the order. */
  readonly values: readonly string[];
  readonly segments: readonly string[];
  readonly relation: PagingPlan['relation'];
}

/**
 * Reads each segment by itself, in order and no further than the page, because PostgreSQL cannot start an index scan at
 * a position that is made of alternatives.
 */
function unite(plan: ReadPlan, source: Source, { scope, values, segments, relation }: Segments): Sought {
  const isOwn = (condition: ReadPlan['where'][number]): boolean => countPresenceTests([condition]).size === 0;
  const own = plan.where.filter(isOwn).map((condition) => renderCondition(condition, scope, () => 'TRUE'));
  const where = plan.where.filter((condition) => !isOwn(condition));
  const isEnough = where.length === 0 && !hasRequiredEmbed(plan);
  const end = [renderOrder(plan.order, values), isEnough ? renderRange(plan.range, scope.builder) : ''];
  const parts = segments.map((segment) => {
    const condition = [...source.conditions, ...own, segment].join(' AND ');
    return `(${joinClauses([`SELECT ${source.ref}.* FROM ${source.from} WHERE ${condition}`, ...end])})`;
  });
  const from = `(${parts.join(' UNION ALL ')}) AS ${source.ref}`;
  return { plan: { ...plan, where }, source: { ...source, conditions: [], from, relation } };
}
