// Renders `Content-Range` from the rows of the page and the total, and derives the status (`reading.md` §9.3).
import type { RowRange } from '../request/range.ts';

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
export function expectRows(total: number, { offset, limit }: RowRange): number {
  return Math.min(Math.max(total - offset, 0), limit ?? Infinity);
}
