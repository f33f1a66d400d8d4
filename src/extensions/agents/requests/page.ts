// The page of rows that a tool call reads: at most `mcp-max-rows`, and one more row that shows whether more rows exist.
import type { AppConfig } from '../../../config/table/app-config.ts';
import type { ReadArguments } from './query-arguments.ts';
import type { Parameter } from '../calls/send-request.ts';
import type { CutList } from '../calls/tool.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Parameters without `limit` and `offset`. */
  readonly others: readonly Parameter[];
}

const PAGE_NAMES = ['limit', 'offset'] as const;

/** Arguments override the query string. */
export function choosePage(given: ReadArguments, parameters: readonly Parameter[], { mcpMaxRows }: AppConfig): Page {
  const limit = given.limit ?? numberOf(parameters, 'limit') ?? mcpMaxRows;
  return {
    limit: Math.min(limit, mcpMaxRows),
    offset: given.offset ?? numberOf(parameters, 'offset') ?? 0,
    // The API rejects values that are not numbers.
    others: parameters.filter((each) => PAGE_NAMES.every((name) => numberOf([each], name) === undefined)),
  };
}

export function pageParameters({ limit, offset }: Page): readonly Parameter[] {
  return [['limit', String(limit + 1)], ...(offset === 0 ? [] : [['offset', String(offset)] as const])];
}

/** @param rows one more than the page if more rows exist and `db-max-rows` allows it */
export function listPage(rows: readonly unknown[], { limit, offset }: Page, { dbMaxRows }: AppConfig): CutList {
  return {
    name: 'rows',
    items: rows.slice(0, limit),
    offset,
    hasMore: (limit > 0 && rows.length > limit) || (rows.length > 0 && rows.length === dbMaxRows),
    canContinue: true,
  };
}

function numberOf(parameters: readonly Parameter[], name: string): number | undefined {
  const text = parameters.findLast(([other]) => other === name)?.[1] ?? '';
  return /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}
