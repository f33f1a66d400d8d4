// A read that is watched, and who watches it. Keeps the rows as sent, with the changes after them, so that somebody who joins
// later begins with the same state. It needs no key for that.
import type { LiveError } from './live-error.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- an interface would be no `Record<string, unknown>`
export type AnyRow = any;

export interface Change<Row = Record<string, unknown>> {
  /** New rows, and rows in their new state. */
  readonly upsert: readonly Row[];
  /** The key columns of rows that are gone. */
  readonly delete: readonly Partial<Row>[];
}

/** What a watcher is called with. An exception in a callback is reported as uncaught, and disturbs nobody else. */
export interface Callbacks<Row = Record<string, unknown>> {
  /** All rows: replace those that you have. */
  readonly onRows?: ((rows: readonly Row[]) => void) | undefined;
  /** Apply all of it at once, by key. It comes after `onRows` only. */
  readonly onChange?: ((change: Change<Row>) => void) | undefined;
  /** If `error.isFinal`, nothing more comes. Otherwise, the client tries again. */
  readonly onError?: ((error: LiveError) => void) | undefined;
}

/** Changes are kept up to this number of rows, or the number that the read itself has. */
const KEPT_ROWS = 1000;

export interface Watcher {
  readonly callbacks: Callbacks<AnyRow>;
  readonly stop: () => void;
  hasRows?: boolean;
}

/** What a list says of a read. */
interface Element {
  readonly id: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

export class WatchedRead {
  /** Equal reads have equal keys. */
  readonly key: string;
  readonly element: Element;
  /** The last event that was applied. */
  eventId: string | undefined;
  /** Whether the next stream begins with all rows, instead of what came after the last event. */
  needsRows = true;
  /** Whether watchers have seen rows. */
  isShown = false;
  readonly #watchers = new Set<Watcher>();
  #rows: readonly AnyRow[] | undefined;
  #changes: Change[] = [];
  #changedRows = 0;

  constructor(key: string, element: Element) {
    this.key = key;
    this.element = element;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher);
    if (this.isShown) queueMicrotask(() => this.#catchUp(watcher));
  }

  /** Returns whether it has watched until now. */
  remove(watcher: Watcher): boolean {
    return this.#watchers.delete(watcher);
  }

  showRows(rows: readonly AnyRow[]): void {
    this.forget();
    this.#rows = rows;
    this.isShown = true;
    this.needsRows = false;
    for (const watcher of this.#watchers) watcher.hasRows = true;
    this.#tell(({ onRows }) => onRows?.(rows));
  }

  showChange(change: Change): void {
    if (this.#rows !== undefined) {
      this.#changes.push(change);
      this.#changedRows += change.upsert.length + change.delete.length;
      if (this.#changedRows > Math.max(KEPT_ROWS, this.#rows.length)) this.forget();
    }
    const watchers = [...this.#watchers].filter(({ hasRows }) => hasRows === true);
    this.#tell(({ onChange }) => onChange?.(change), watchers);
  }

  showError(error: LiveError): void {
    this.#tell(({ onError }) => onError?.(error));
  }

  end(): void {
    for (const { stop } of this.#watchers) stop();
  }

  /** Drops what is kept for those who join later. */
  forget(): void {
    this.#rows = undefined;
    this.#changes = [];
    this.#changedRows = 0;
  }

  #catchUp(watcher: Watcher): void {
    if (watcher.hasRows === true) return;
    const rows = this.#rows;
    if (rows === undefined || this.needsRows) {
      this.needsRows = true;
      return;
    }
    watcher.hasRows = true;
    this.#tell(({ onRows }) => onRows?.(rows), [watcher]);
    for (const change of this.#changes.slice()) this.#tell(({ onChange }) => onChange?.(change), [watcher]);
  }

  /** Calls neither those that a callback adds nor those that it removes. */
  #tell(call: (callbacks: Callbacks<AnyRow>) => void, watchers: readonly Watcher[] = [...this.#watchers]): void {
    for (const watcher of watchers) if (this.#watchers.has(watcher)) attempt(() => call(watcher.callbacks));
  }
}

/** Lets the page report an exception of a callback, as it does for listeners of events. */
function attempt(call: () => void): void {
  try {
    call();
  } catch (exception) {
    queueMicrotask(() => {
      throw exception;
    });
  }
}
