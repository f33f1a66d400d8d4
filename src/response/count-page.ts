// Counts the rows of a response and of all its pages (`reading.md` §16).
import type { HeaderList } from '../contract/http.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { RowsPlan } from '../plan/actions/action-plan.ts';
import { pageRowsOf } from '../plan/actions/delivery-plan.ts';
import type { RowRange } from '../request/range.ts';
import { expectRows, type PageCounts } from './content-range.ts';

export interface Page extends PageCounts, RowRange {
  /** Header that precedes every `Content-Range`, if the dialect sends it. */
  readonly unit: HeaderList;
  /** Prefix of the API's own paths. */
  readonly basePath: string;
}

const RANGE_UNIT: HeaderList = [['Range-Unit', 'items']];

interface PageContext {
  readonly dialect: Dialect;
  /** Prefix of the API's own paths; undefined: none. */
  readonly basePath: string | undefined;
}

export function countPage(action: RowsPlan, outcome: DbOutcome, { dialect, basePath = '' }: PageContext): Page {
  const total = totalOf(action, outcome);
  const { offset, limit } = action.range;
  return {
    offset,
    limit,
    rows: rowsOf(action, outcome, total),
    total,
    unit: dialect.sendsRangeUnit ? RANGE_UNIT : [],
    basePath,
  };
}

function rowsOf(action: RowsPlan, outcome: DbOutcome, total: number | undefined): number | undefined {
  switch (pageRowsOf(action.delivery)) {
    // A HEAD counts its rows but must respond like its GET.
    case 'unknown':
      return undefined;
    case 'expected':
      return total === undefined ? undefined : expectRows(total, action.range);
    case 'counted':
      return outcome.pageRows;
  }
}

function totalOf({ count }: RowsPlan, { pageRows, total, plannedTotal }: DbOutcome): number | undefined {
  switch (count.kind) {
    case 'none':
      return undefined;
    case 'page':
      return pageRows;
    case 'exact':
      return total;
    case 'planned':
      return plannedTotal;
    case 'estimated': {
      // Counting exactly would have exceeded the budget of the role.
      if (total === undefined) return plannedTotal;
      const isCut = count.threshold === undefined || (total ?? 0) > count.threshold;
      return isCut ? Math.max(total ?? 0, plannedTotal ?? 0) : total;
    }
  }
}
