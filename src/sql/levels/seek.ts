// Moves the position of a page into the source of its level, where indexes serve it (`beyond.md` §1.6).
import type { Relation } from '../../catalog/schema-cache.ts';
import { directOrder } from '../../plan/levels/page-position.ts';
import { countPresenceTests, hasRequiredEmbed, type ReadPlan } from '../../plan/levels/read-plan.ts';
import { renderCondition } from './condition.ts';
import type { LevelPlace } from './embed.ts';
import type { Source } from './from.ts';
import { renderSegments } from './keyset.ts';
import { joinClauses, renderOrder, renderOwnOrder, renderRange } from './read.ts';
import { Scope } from './scope.ts';

interface Sought {
  /** In the order in which the rows are found. */
  readonly plan: ReadPlan;
  readonly source: Source;
}

type RowType = Pick<Relation, 'name' | 'computedColumns'>;

/** Leaves the position in the plan if the order depends on embeds: it is then rendered as one condition of the level. */
export function seekPage(plan: ReadPlan, { source, builder }: LevelPlace, relation: RowType): Sought {
  const directed = { ...plan, order: directOrder(plan) };
  const terms = directed.order.flatMap((term) => (term.kind === 'field' ? [term] : []));
  if (plan.position === undefined || terms.length < directed.order.length) return { plan: directed, source };
  const scope = new Scope(builder, source);
  const values = terms.map((term) => renderOwnOrder(term, scope));
  const segments = renderSegments(directed, values, builder);
  const rest = { ...directed, position: undefined };
  if (segments.length > 1) return unite(rest, source, { scope, values, segments, relation });
  return { plan: rest, source: { ...source, conditions: [...source.conditions, ...segments, ...never(segments)] } };
}

function never(segments: readonly string[]): readonly string[] {
  return segments.length === 0 ? ['FALSE'] : [];
}

interface Segments {
  readonly scope: Scope;
  /** SQL of the value of each term of the order. */
  readonly values: readonly string[];
  readonly segments: readonly string[];
  readonly relation: RowType;
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
