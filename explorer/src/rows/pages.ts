// Computes the range of rows, and the previous and next page, from `Content-Range` and the request.
import type { LimitOffset } from '../../../src/request/query/query-params.ts';

export interface RowsShown {
  /** Counts from 1; 0 without rows. */
  readonly first: number;
  readonly last: number;
  /** Total number of rows, if counted. */
  readonly total: number | undefined;
  readonly previous: LimitOffset | undefined;
  readonly next: LimitOffset | undefined;
}

export interface Received {
  readonly range: LimitOffset;
  readonly count: number;
  readonly contentRange: string | undefined;
  /** From a separate count. */
  readonly total: number | undefined;
  /** The maximum number of rows that the server returns. */
  readonly maxRows: number | undefined;
}

export function describeRows({ range, count, contentRange, total: counted, maxRows }: Received): RowsShown {
  const offset = range.offset ?? 0;
  const total = counted ?? totalOf(contentRange);
  const size = range.limit ?? (maxRows !== undefined && count === maxRows ? maxRows : undefined);
  const isFull = size !== undefined && size > 0 && count >= Math.min(size, maxRows ?? size);
  const hasNext = total === undefined ? isFull : isFull && offset + count < total;
  return {
    first: count === 0 ? 0 : offset + 1,
    last: offset + count,
    total,
    previous: offset > 0 ? { limit: range.limit, offset: Math.max(0, offset - (size ?? offset)) } : undefined,
    next: hasNext ? { limit: range.limit, offset: offset + count } : undefined,
  };
}

/** `0-24/137` → 137; undefined for `0-24/*`. */
export function totalOf(contentRange: string | undefined): number | undefined {
  const total = /\/(?<total>\d+)$/u.exec(contentRange ?? '')?.groups?.['total'];
  return total === undefined ? undefined : Number(total);
}

/** `0-24/*` → 25; 0 for `*\/*` and without the header. */
export function countReceived(contentRange: string | undefined): number {
  const { first, last } = /^(?<first>\d+)-(?<last>\d+)\//u.exec(contentRange ?? '')?.groups ?? {};
  return first === undefined || last === undefined ? 0 : Number(last) - Number(first) + 1;
}

export function describeRowsShown({ first, last, total }: RowsShown): string {
  const all = total === undefined ? '' : ` of ${formatCount(total)}`;
  if (last === 0 || first === 0) return `no rows${all}`;
  if (first === 1 && (total === undefined || total === last)) return countRows(last);
  return `rows ${formatCount(first)}–${formatCount(last)}${all}`;
}

/** `1 row`, `3 rows` */
export function countRows(count: number): string {
  return count === 1 ? '1 row' : `${formatCount(count)} rows`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}
