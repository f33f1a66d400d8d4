// Resolves the requested rows from `limit`, `offset` and the `Range` header (`reading.md` §9.1, §9.2).
import { firstHeader, type HeaderList } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { LimitOffset } from './query/query-params.ts';

export interface RowRange {
  readonly offset: number;
  /** Undefined: no upper bound. */
  readonly limit: number | undefined;
}

export const FULL_RANGE: RowRange = { offset: 0, limit: undefined };

/** @param headers those of a GET request; undefined for other methods, which ignore the `Range` header */
export function resolveRange(
  parameters: LimitOffset | undefined,
  headers: HeaderList | undefined,
): Result<RowRange, ApiError> {
  const limit = parameters?.limit;
  if (limit !== undefined && limit < 0) return fail({ kind: 'negativeLimit' });
  const offset = Math.max(parameters?.offset ?? 0, 0);
  const header = headers && parseRangeHeader(firstHeader(headers, 'range'));
  if (header === undefined || limit === 0) return ok({ offset, limit });
  if (header.limit !== undefined && header.limit < 1) return fail({ kind: 'rangeBoundaries' });
  const both = intersectRanges({ offset, limit }, header);
  return both.limit !== undefined && both.limit < 1 ? fail({ kind: 'negativeLimit' }) : ok(both);
}

/** Returns the rows in both ranges; the limit of an empty intersection is below one. */
function intersectRanges(a: RowRange, b: RowRange): RowRange {
  const offset = Math.max(a.offset, b.offset);
  const end = Math.min(endOf(a), endOf(b));
  return { offset, limit: end === Infinity ? undefined : end - offset };
}

/** Limits the range to `cap` rows from its start. */
export function capRange(range: RowRange, cap: number | undefined): RowRange {
  if (cap === undefined) return range;
  return { offset: range.offset, limit: Math.min(range.limit ?? cap, cap) };
}

function endOf(range: RowRange): number {
  return range.limit === undefined ? Infinity : range.offset + range.limit;
}

export function hasRangeHeader(headers: HeaderList): boolean {
  return parseRangeHeader(firstHeader(headers, 'range')) !== undefined;
}

/** Accepts `a-b` and `a-`; any other text counts as no header. */
function parseRangeHeader(text: string | undefined): RowRange | undefined {
  const match = text === undefined ? null : /^(\d+)-(\d*)$/u.exec(text);
  if (match === null) return undefined;
  const first = readRow(match[1]);
  return { offset: first, limit: match[2] ? readRow(match[2]) - first + 1 : undefined };
}

/** Clamps to the safe integers, like `offset`: no table has more rows. */
function readRow(digits: string | undefined): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}
