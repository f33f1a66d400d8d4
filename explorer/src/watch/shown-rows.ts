// Shows the rows of a watched read in place of those of its response.
import type { ReceivedResponse } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import type { RequestPlace } from '../url-state/place.ts';
import { rowTextsOf, type RowsEvent } from './rows-event.ts';
import { applyChange, endMarks, marksOf, readRows, renderRows, replaceRows, type WatchedRow } from './watched-rows.ts';

export interface ShownRows {
  /** Returns the number of rows that the event changes. */
  readonly apply: (event: RowsEvent) => number;
  /** Ends all marks. */
  readonly close: () => void;
}

export interface ShownRowsOptions {
  readonly store: Store;
  readonly place: RequestPlace;
  /** Columns of the primary key. */
  readonly key: readonly string[];
}

const MARK_MS = 2000;

export function showRows({ store, place, key }: ShownRowsOptions): ShownRows {
  const token = store.token.peek();
  let rows: readonly WatchedRow[] | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen: ReceivedResponse['headers'] | undefined;

  const findResponse = (): ReceivedResponse | undefined => {
    const [now, shown] = [store.place.peek(), store.exchange.peek()];
    const isHere = now.kind === 'request' && now.url === place.url && now.schema === place.schema;
    if (!isHere || store.token.peek() !== token || shown?.kind !== 'answered') return undefined;
    return shown.request.url === place.url && shown.response.status < 300 ? shown.response : undefined;
  };
  const show = (next: readonly WatchedRow[]): void => {
    rows = next;
    if (findResponse() !== undefined) store.amend((response) => withRows(response, next));
  };
  const endOldMarks = (): void => {
    timer = undefined;
    if (rows === undefined) return;
    show(endMarks(rows, performance.now() - MARK_MS));
    plan();
  };
  const plan = (): void => {
    if (timer !== undefined || rows?.some(({ mark }) => mark !== undefined) !== true) return;
    timer = setTimeout(endOldMarks, MARK_MS);
  };
  /** A request that is sent again must not bring back rows of the past. */
  const unsubscribe = store.exchange.subscribe(() => {
    const response = findResponse();
    if (response === undefined || response.headers === seen) return;
    seen = response.headers;
    if (rows !== undefined) show(rows);
  });

  return {
    apply(event) {
      const context = { key, now: performance.now() };
      const response = findResponse();
      const received = event.kind === 'rows' ? event.rows : [];
      const before = rows ?? readRows(response === undefined ? received : rowTextsOf(response.text), context);
      const applied =
        event.kind === 'rows' ? replaceRows(before, event.rows, context) : applyChange(before, event, context);
      if (rows === undefined || applied.changes > 0) show(applied.rows);
      plan();
      return applied.changes;
    },
    close() {
      unsubscribe();
      clearTimeout(timer);
      if (rows !== undefined) show(endMarks(rows, Infinity));
    },
  };
}

function withRows(response: ReceivedResponse, rows: readonly WatchedRow[]): ReceivedResponse {
  const text = renderRows(rows);
  const content = new Blob([text], { type: response.content.type });
  return { ...response, text, content, insertedRows: undefined, marks: marksOf(rows) };
}
