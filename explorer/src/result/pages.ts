// `Content-Range`, and what the request asked for → which rows these are, and the pages before and after them.
import type { LimitOffset } from '../../../src/request/query/query-params.ts';

export interface RowsShown {
  /** From 1; 0 where there are none. */
  readonly first: number;
  readonly last: number;
  /** Of all rows; undefined where it was not counted. */
  readonly total: number | undefined;
  readonly previous: LimitOffset | undefined;
  readonly next: LimitOffset | undefined;
}

export interface Received {
  readonly range: LimitOffset;
  readonly count: number;
  readonly contentRange: string | undefined;
  /** Counted on the side. */
  readonly total: number | undefined;
  /** The server gives no more rows than these at once. */
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

export function describeRowsShown({ first, last, total }: RowsShown): string {
  const all = total === undefined ? '' : ` of ${formatCount(total)}`;
  if (last === 0 || first === 0) return `no rows${all}`;
  if (first === 1 && (total === undefined || total === last)) return last === 1 ? '1 row' : `${formatCount(last)} rows`;
  return `rows ${formatCount(first)}–${formatCount(last)}${all}`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}
