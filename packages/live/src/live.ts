// Many reads on one connection (`beyond.md` §6.3).
import { Api, type ApiOptions } from './api.ts';
import { EventList, type ListedRead, type ReadEvent } from './event-list.ts';
import { LiveError, readError, serverError, toLiveError } from './live-error.ts';
import { comparePositions } from './positions.ts';
import { iterateRows, type RowsOptions } from './rows.ts';
import { type AnyRow, type Callbacks, WatchedRead, type Watcher } from './watched-read.ts';

/**
 * - `waiting`: nothing is watched, or the client waits before it tries again;
 * - `connecting`: the first stream, or one after another has ended, is being opened;
 * - `open`: rows are current.
 */
export type LiveStatus = 'connecting' | 'open' | 'waiting' | 'closed';

export interface WatchOptions<Row = Record<string, unknown>> extends Callbacks<Row> {
  /** Ends the read. */
  readonly signal?: AbortSignal | undefined;
  /** Headers of this read, such as `Range`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Reads all rows again, for everybody who watches this read. Otherwise, who joins gets the rows that are there. */
  readonly fresh?: boolean | undefined;
}

interface Waiter {
  readonly position: string;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

declare const addEventListener: EventTarget['addEventListener'] | undefined;

/** Both dialects know this name. */
const BATCH = 'application/vnd.pgrst.batch+json';
const EVENTS = 'text/event-stream';
/** A later version of the server may send others. */
const READ_EVENT = /^(?:rows|change|reset|error)$/u;

/** What is watched within this time makes one request. */
const GATHER_MS = 10;
/** A read that nobody watches leaves the list after this time: often, somebody watches it again. */
const LINGER_MS = 1000;

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** A stream that held for so long was no failure. */
const STEADY_MS = 30_000;

/** Fires `status` when `status` has changed. */
export class Live extends EventTarget {
  readonly #api: Api;
  readonly #reads = new Map<string, WatchedRead>();
  readonly #waiters = new Set<Waiter>();
  #status: LiveStatus = 'waiting';
  #nextId = 1;
  /** The stream whose events are shown. */
  #list: EventList | undefined;
  /** The last one, if it has broken while the next is being opened. */
  #broken: EventList | undefined;
  /** The one that will take its place. */
  #opening: EventList | undefined;
  /** Whether reads have come or gone since the list was asked for. */
  #isStale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer will update the list. 0 during a pause, which ends early if the browser is online again; -1 if not. */
  #due = Infinity;
  #failures = 0;
  readonly #closed = new AbortController();

  constructor(options: ApiOptions) {
    super();
    this.#api = new Api(options);
    const goOn = (): void => {
      // The first attempts may still fail: the pauses after them are short again.
      this.#failures = 0;
      if (this.#due === 0) this.#updateList();
    };
    // Pages and workers have this event, Node does not.
    if (typeof addEventListener === 'function') addEventListener('online', goOn, this.#closed);
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** Watches a read, and returns a function that ends it. No callback is called before it returns, or after the end. */
  watch<Row = Record<string, unknown>>(path: string, options: WatchOptions<Row>): () => void {
    return this.#watch(path, options);
  }

  /** Whole arrays of rows, kept current. The read begins with the first `next()` and ends with the iteration. */
  rows<Row = Record<string, unknown>>(path: string, options: RowsOptions = {}): AsyncIterableIterator<readonly Row[]> {
    return iterateRows<Row>((callbacks, end) => this.#watch(path, { ...options, ...callbacks }, end), options);
  }

  /**
   * Resolves when all reads that are being sent contain everything up to this position, which is what a write with
   * `Prefer: position` returned; at once, if nothing is watched. Rejects if the signal aborts, or the connection is closed.
   */
  async reached(position: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    signal?.throwIfAborted();
    this.#checkOpen();
    // Throws if it is none.
    comparePositions(position, position);
    const left = new AbortController();
    const reached = new Promise<void>((resolve, reject) => {
      const waiter = { position, resolve, reject };
      this.#waiters.add(waiter);
      const abort = (): void => {
        this.#waiters.delete(waiter);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason of a signal may be anything
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, left);
      this.#settleWaiters();
    });
    return reached.finally(() => left.abort());
  }

  /** Sends a request to the server as `fetch` does, with the headers and the token of this connection. */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.#api.send(withSlash(path), init);
  }

  /** Ends all reads, iterations and timers. Callbacks are not called any more. */
  close(): void {
    if (this.#status === 'closed') return;
    for (const read of this.#reads.values()) read.end();
    for (const waiter of this.#waiters) waiter.reject(closedError());
    this.#waiters.clear();
    this.#reads.clear();
    this.#opening?.end();
    this.#list?.end();
    this.#clearTimer();
    this.#closed.abort();
    this.#setStatus('closed');
  }

  #checkOpen(): void {
    if (this.#status === 'closed') throw closedError();
  }

  #watch(path: string, { signal, headers, fresh, ...callbacks }: WatchOptions<AnyRow>, onEnd?: () => void): () => void {
    this.#checkOpen();
    const element = { id: String(this.#nextId++), path: withSlash(path), headers };
    const key = JSON.stringify([element.path, [...new Headers(headers)]]);
    const read = this.#reads.get(key) ?? new WatchedRead(key, element);
    this.#reads.set(key, read);
    const stop = (): void => {
      if (!read.remove(watcher)) return;
      signal?.removeEventListener('abort', stop);
      onEnd?.();
      if (!read.isWatched) this.#change(LINGER_MS);
    };
    const watcher: Watcher = { callbacks, stop };
    read.needsRows ||= fresh === true;
    read.add(watcher);
    signal?.addEventListener('abort', stop);
    this.#change(GATHER_MS);
    if (signal?.aborted === true) stop();
    return stop;
  }

  #setStatus(status: LiveStatus): void {
    if (this.#status === status || this.#status === 'closed') return;
    this.#status = status;
    this.dispatchEvent(new Event('status'));
  }

  /** The list has to change soon. */
  #change(milliseconds: number): void {
    const due = Date.now() + milliseconds;
    if (this.#opening !== undefined) this.#isStale = true;
    else if (due < this.#due) this.#setTimer(milliseconds, due);
  }

  #setTimer(milliseconds: number, due: number): void {
    if (this.#status === 'closed') return;
    this.#clearTimer();
    this.#due = due;
    this.#timer = setTimeout(() => this.#updateList(), milliseconds);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#due = Infinity;
  }

  /** Opens another stream if the reads are not those of the open one. */
  #updateList(): void {
    this.#clearTimer();
    for (const read of this.#reads.values()) if (!read.isWatched) this.#reads.delete(read.key);
    if (this.#reads.size === 0) {
      this.#list?.end();
      this.#list = undefined;
      this.#setStatus('waiting');
    } else if (!this.#isListCurrent()) {
      this.#isStale = false;
      this.#broken = undefined;
      this.#opening = new EventList([...this.#reads.values()]);
      void this.#open(this.#opening);
      if (this.#list === undefined) this.#setStatus('connecting');
    }
    this.#settleWaiters();
  }

  #isListCurrent(): boolean {
    const listed = this.#list?.reads;
    if (listed?.size !== this.#reads.size) return false;
    return [...this.#reads.values()].every((read) => listed.has(read.element.id) && !(read.isShown && read.needsRows));
  }

  async #open(list: EventList): Promise<void> {
    try {
      await this.#api.prepare();
      if (list.isOver) return;
      const response = await this.#api.send('/', {
        method: 'POST',
        headers: { accept: EVENTS, 'content-type': BATCH, prefer: 'position' },
        body: list.describe(),
        signal: list.signal,
      });
      if (response.headers.get('content-type')?.startsWith(EVENTS) !== true) throw await readError(response);
      if (list.isOver) return;
      this.#takeOver(list);
      const retryAfter = await list.readEvents(response, (name, data) => this.#receive(list, name, data));
      throw new LiveError('The stream ended', { code: 'network', retryAfter });
    } catch (error) {
      this.#end(list, error);
    }
  }

  /** Shows the events of a new stream, and no longer those of the one before it. */
  #takeOver(list: EventList): void {
    const before = this.#list ?? this.#broken;
    this.#list = list;
    this.#opening = undefined;
    list.start(before, () => this.#release(list));
    before?.end();
    this.#setStatus('open');
    if (this.#isStale) this.#change(GATHER_MS);
  }

  #receive(list: EventList, name: string, data: string): void {
    if (name === 'position') {
      list.position = data;
      list.isAhead = false;
      this.#release(list);
      this.#settleWaiters();
    } else if (name === 'expired') {
      this.#api.forgetToken();
      list.isExpired = true;
      throw new LiveError('The token expired', { code: 'token' });
    } else if (READ_EVENT.test(name)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the protocol of the server
      const event = { ...(this.#api.parse(data) as object), name } as ReadEvent;
      const listed = list.reads.get(event.id);
      if (listed === undefined) return;
      if (name === 'reset') list.hold(listed);
      if (listed.held === undefined) this.#show(list, listed, event);
      else listed.held.push(event);
    }
  }

  /** Shows what has waited for the stream before this one, if this one has come as far, or takes too long. */
  #release(list: EventList): void {
    for (const listed of list.reads.values()) {
      const { held } = listed;
      if (held === undefined || list.isBehind(listed)) continue;
      listed.held = undefined;
      for (const event of held) if (!list.isOver) this.#show(list, listed, event);
    }
  }

  #show(list: EventList, listed: ListedRead, event: ReadEvent): void {
    const { read, seen } = listed;
    switch (event.name) {
      case 'reset':
        seen.clear();
        read.needsRows = true;
        read.forget();
        break;
      case 'rows':
      case 'change':
        // The stream before this one has shown it.
        if (seen.delete(event.eventId)) break;
        seen.clear();
        list.isAhead = true;
        read.eventId = event.eventId;
        this.#opening?.reads.get(read.element.id)?.seen.add(event.eventId);
        if (event.name === 'rows') read.showRows(event.rows);
        else read.showChange(event);
        break;
      case 'error': {
        const error = serverError(event.status, event.error);
        list.reads.delete(read.element.id);
        if (error.status === 401) this.#api.forgetToken();
        this.#report(error, [read]);
        if (!error.isFinal && this.#opening === undefined) this.#pause(error);
      }
    }
  }

  /** A stream has ended, or could not be opened. */
  #end(list: EventList, cause: unknown): void {
    // It has been replaced or closed by us.
    if (list.isOver) return;
    list.end();
    const error = list.silence ?? toLiveError(cause);
    if (list === this.#list) this.#lose(list, error);
    else this.#refuse(list, error);
  }

  #lose(list: EventList, error: LiveError): void {
    this.#list = undefined;
    this.#broken = list;
    const heldFor = Date.now() - list.openedAt;
    if (heldFor >= STEADY_MS) this.#failures = 0;
    // Those who have rows see it in the status only.
    for (const { read } of list.reads.values()) if (!read.isShown) read.showError(error);
    if (this.#opening !== undefined) this.#setStatus('connecting');
    else if ((list.isExpired && heldFor >= SHORTEST_PAUSE_MS) || list.reads.size === 0) this.#updateList();
    else {
      this.#setStatus('waiting');
      this.#pause(error);
    }
  }

  /** The server does not serve this list, or not now. What the open stream has goes on. */
  #refuse(list: EventList, error: LiveError): void {
    this.#opening = undefined;
    if (error.status === 401) {
      this.#api.forgetToken();
      error.isFinal = !this.#api.isTokenRenewable;
    }
    const open = this.#list?.reads;
    if (open === undefined) this.#setStatus('waiting');
    const listed = [...list.reads.values()].map(({ read }) => read);
    const culprit = listed[error.request ?? -1];
    const concerned =
      culprit === undefined ? listed.filter(({ element }) => open?.has(element.id) !== true) : [culprit];
    this.#report(error, concerned);
    if (error.isFinal && concerned.length > 0) this.#change(GATHER_MS);
    else this.#pause(error);
  }

  #report(error: LiveError, reads: readonly WatchedRead[]): void {
    for (const read of reads) {
      read.showError(error);
      if (!error.isFinal) continue;
      if (this.#reads.get(read.key) === read) this.#reads.delete(read.key);
      read.end();
    }
  }

  #pause({ retryAfter }: LiveError): void {
    if (this.#due <= 0) return;
    const longest = Math.min(LONGEST_PAUSE_MS, 2 * SHORTEST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    const pause = SHORTEST_PAUSE_MS + Math.random() * (longest - SHORTEST_PAUSE_MS);
    const asked = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER_MS);
    this.#setTimer(Math.max(pause, asked), retryAfter === undefined ? 0 : -1);
  }

  #settleWaiters(): void {
    const isWatching = [...this.#reads.values()].some((read) => read.isWatched);
    for (const waiter of this.#waiters) {
      if (isWatching && this.#list?.hasReached(waiter.position) !== true) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function closedError(): LiveError {
  return new LiveError('The connection is closed', { code: 'closed' });
}
