// Rows on the page × total → `Content-Range` and the status it implies (`reading.md` §9.3).
import type { RowRange } from '../request/range.ts';

export interface PageCounts {
  readonly offset: number;
  /** Undefined: not known before they have been sent. */
  readonly rows: number | undefined;
  /** Undefined: not known. */
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

/** As many as there are between the bounds. */
export function expectRows(total: number, { offset, limit }: RowRange): number {
  return Math.min(Math.max(total - offset, 0), limit ?? Infinity);
}
