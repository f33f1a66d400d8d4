// Rows on the page × total → `Content-Range` and the status it implies (`reading.md` §9.3).

export interface PageCounts {
  readonly offset: number;
  readonly rows: number;
  /** Undefined: not known. */
  readonly total: number | undefined;
}

export function renderContentRange({ offset, rows, total }: PageCounts): string {
  const range = rows === 0 || total === 0 ? '*' : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? '*'}`;
}

export function statusOfPage({ offset, rows, total }: PageCounts): 200 | 206 | 416 {
  if (total === undefined) return 200;
  if (offset > total) return 416;
  return rows < total ? 206 : 200;
}
