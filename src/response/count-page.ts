// Counts the rows of a response and of all its pages, and renders them as `Content-Range` (`reading.md` §16).
import type { HeaderList } from '../contract/http.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { RowsPlan } from '../plan/actions/action-plan.ts';
import { pageRowsOf } from '../plan/actions/delivery-plan.ts';
import type { RowRange } from '../request/range.ts';

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

export interface PageCounts {
  readonly offset: number;
  /** Undefined: unknown until the rows have been sent. */
  readonly rows: number | undefined;
  /** Undefined: unknown. */
  readonly total: number | undefined;
}

export function renderContentRange({ offset, rows, total }: PageCounts): string {
  const range = rows === undefined || rows === 0 || total === 0 ? '*' : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? '*'}`;
}

export function statusOfPage({ offset, limit, rows, total }: PageCounts & RowRange): 200 | 206 | 416 {
  if (total === undefined) return 200;
  if (offset > total) return 416;
  return (rows ?? expectRows(total, { offset, limit })) < total ? 206 : 200;
}

/** Returns how many rows the range contains, given the total. */
function expectRows(total: number, { offset, limit }: RowRange): number {
  return Math.min(Math.max(total - offset, 0), limit ?? Infinity);
}
