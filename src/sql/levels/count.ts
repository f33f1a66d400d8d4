// Renders the query whose rows are counted: only filters and required embeds (`reading.md` §9.4).
import { countPresenceTests, type ReadPlan } from '../../plan/levels/read-plan.ts';
import { FULL_RANGE } from '../../request/range.ts';
import { renderCondition } from './condition.ts';
import type { Source } from './from.ts';
import { renderHasRows, renderPresence } from './presence.ts';
import { joinClauses, renderRows } from './read.ts';
import { scopeOf } from './scope.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

export function renderCountQuery(plan: ReadPlan, source: Source, builder: StatementBuilder): string {
  // Then groups or different rows are counted, not the rows they come from.
  if (plan.having.length > 0 || plan.distinct !== undefined)
    return renderRows({ ...plan, order: [], range: FULL_RANGE }, source, builder);
  const scope = scopeOf(plan, source, builder);
  const tests = countPresenceTests(plan.where);
  const embeds = plan.embeds.map((embed, position) =>
    renderPresence({ isRequired: embed.join === 'inner', testCount: tests.get(position) ?? 0 }, builder, () =>
      renderHasRows(embed, scope, ({ read }, embedded) => renderCountQuery(read, embedded, builder)),
    ),
  );
  const presence = (embed: number, isPresent: boolean) => embeds[embed]?.presence(isPresent) ?? 'TRUE';
  const conditions = [
    ...source.conditions,
    ...plan.where.map((condition) => renderCondition(condition, scope, presence)),
    ...embeds.flatMap(({ condition }) => condition ?? []),
  ];
  return joinClauses([
    `SELECT ${source.lead?.join(', ') ?? '1'}`,
    `FROM ${joinClauses([source.from, ...embeds.map(({ join }) => join)])}`,
    conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '',
  ]);
}
