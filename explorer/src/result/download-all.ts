// Downloads all rows of a request: without its limit, and in several requests where the server limits the rows of each.
// Loaded on demand.
import { headerOf } from '../client/headers.ts';
import { countReceived } from '../rows/pages.ts';
import type { Store } from '../store/store.ts';
import { allRows, setLimit, setOffset } from '../url-state/edit-ranges.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { endOrderWithKey } from '../url-state/stable-order.ts';

export type RowType = 'application/json' | 'text/csv';

export interface AllRows {
  readonly text: string;
  readonly count: number;
}

/** @param maxRows of the server @returns undefined if a request fails */
export async function loadAllRows(
  store: Store,
  model: QueryModel,
  { type, maxRows }: { readonly type: RowType; readonly maxRows: number | undefined },
): Promise<AllRows | undefined> {
  const schema = store.known.peek();
  const open = schema === undefined ? allRows(model) : endOrderWithKey(allRows(model), schema);
  const pages: string[] = [];
  let count = 0;
  for (;;) {
    const page = maxRows === undefined ? open : setOffset(setLimit(open, [], maxRows), [], count);
    const headers = [['Accept', type]] as const;
    const exchange = await store.send({ method: 'GET', url: renderUrl(page), headers, body: undefined });
    if (exchange.kind !== 'answered' || exchange.response.status >= 300) return undefined;
    const received = countReceived(headerOf(exchange.response, 'content-range'));
    if (received > 0 || pages.length === 0) pages.push(exchange.response.text);
    count += received;
    if (maxRows === undefined || received < maxRows) break;
  }
  return { text: type === 'text/csv' ? joinCsv(pages) : joinJson(pages), count };
}

/** Every page begins with the same line of names. */
export function joinCsv([first = '', ...others]: readonly string[]): string {
  // A name may contain a line feed, in quotes.
  const head = /^(?:"(?:[^"]|"")*"|[^"\n])*\n?/u.exec(first)?.[0] ?? '';
  const rows = others.map((page) => page.slice(head.length));
  return [first, ...rows].map((text) => text.replace(/\n$/u, '')).join('\n');
}

export function joinJson(pages: readonly string[]): string {
  if (pages.length === 1) return pages[0] ?? '';
  return `[${pages.map((page) => page.trim().slice(1, -1)).join(',\n ')}]`;
}
