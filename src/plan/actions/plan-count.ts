// Decides how the total is computed, from the client's `count` preference (`reading.md` §9.4).
import type { Preferences } from '../../request/preferences.ts';
import type { RowRange } from '../../request/range.ts';
import type { CountPlan } from './action-plan.ts';
import type { PlanContext } from './plan-context.ts';

type CountMode = Preferences['count'];

/** @param maxRows `db-max-rows` */
export function planCount(mode: CountMode, range: RowRange, maxRows: number | undefined): CountPlan {
  const isWholePage = maxRows === undefined && range.limit === undefined && range.offset === 0;
  switch (mode) {
    case undefined:
      return { kind: 'none' };
    case 'exact':
      return isWholePage ? { kind: 'page' } : { kind: 'exact' };
    case 'planned':
      return { kind: 'planned' };
    case 'estimated':
      return { kind: 'estimated', threshold: maxRows };
  }
}

/** For calls, some dialects do not ask the planner: rows are then counted or unknown (`writing.md` §0.2 D10). */
export function planCallCount(mode: CountMode, range: RowRange, { config, dialect }: PlanContext): CountPlan {
  const countable = mode === 'planned' ? undefined : mode && 'exact';
  return planCount(dialect.areCallCountsPlanned ? mode : countable, range, config.dbMaxRows);
}
