// Decides how the total is computed, from the client's `count` preference (`reading.md` §9.4).
import type { Preferences } from '../../request/preferences.ts';
import type { RowRange } from '../../request/range.ts';
import type { CountPlan } from './action-plan.ts';

/** @param maxRows `db-max-rows` */
export function planCount(mode: Preferences['count'], range: RowRange, maxRows: number | undefined): CountPlan {
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
