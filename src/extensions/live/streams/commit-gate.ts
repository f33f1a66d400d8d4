// Holds back transactions of the log until other sessions can see them: the log reports a commit earlier than that.
import type { LogTransaction } from '../log/log-changes.ts';
import type { LogPosition } from '../../../contract/log-position.ts';
import { ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { parseSnapshot, shows, type Snapshot } from '../events/visibility.ts';
import type { Observe } from '../../../observe/observation.ts';
import { attempt } from './attempt.ts';
import type { RunQuery } from '../../../serve/extension.ts';

export interface CommitGateOptions {
  readonly query: RunQuery;
  readonly observe: Observe;
  /**
   * Called in the order of the commits.
   *
   * @param position up to which all transactions are visible with these, unless the log may have missed some
   */
  readonly onVisible: (transactions: readonly LogTransaction[], position: LogPosition | undefined) => void;
  /** Called when all transactions up to a position are visible. */
  readonly onPosition: (position: LogPosition) => void;
  /** Called when transactions that the log may have missed have ended: all rows must be read again. */
  readonly onUnlogged: () => void;
}

const SNAPSHOT_SQL = 'SELECT pg_catalog.pg_current_snapshot()::text';
/** Pause before checking again whether a transaction is visible. */
const PAUSE_MS = 2;
const FAILURE_PAUSE_MS = 200;
/**
 * While the gate only waits for transactions that were running at its start, it pauses twice as long each time, up to
 * this limit.
 */
const MAX_IDLE_PAUSE_MS = 5000;

export class CommitGate {
  readonly #options: CommitGateOptions;
  #waiting: LogTransaction[] = [];
  #waitingBytes = 0;
  /** What the log has reported so far ends here. */
  #end: LogPosition | undefined;
  /** Where the last visible transaction ends. */
  #released: LogPosition | undefined;
  /** Transactions that may have committed just before the log began, so that the log does not contain them. */
  #early: ReadonlySet<bigint> | undefined;
  /** Called when the first answer has come. */
  #onStarted: () => void = () => {};
  #isAsking = false;
  #isClosed = false;
  #idlePause = 20;
  #heldSince = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CommitGateOptions) {
    this.#options = options;
  }

  /** Number of transactions that are held back. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Bytes of the changes that are held back. */
  get bytes(): number {
    return this.#waitingBytes;
  }

  /** Age in seconds of the oldest transaction that is held back. */
  get lag(): number {
    return this.#waiting.length === 0 ? 0 : (performance.now() - this.#heldSince) / 1000;
  }

  /**
   * Call when the log has begun. Resolves when rows may be read. By then the gate knows the transactions that are not
   * visible yet, so it misses none of them, even if the log began after their changes.
   */
  start(): Promise<void> {
    if (!this.#isAsking && this.#early === undefined) void this.#ask();
    return this.#early === undefined ? new Promise((resolve) => (this.#onStarted = resolve)) : Promise.resolve();
  }

  /** @param position where the log begins */
  begin(position: LogPosition): void {
    this.#end ??= position;
    this.#released ??= position;
  }

  add(transaction: LogTransaction): void {
    if (this.#waiting.length === 0) this.#heldSince = performance.now();
    this.#waiting.push(transaction);
    this.#waitingBytes += transaction.byteLength;
    this.#end = transaction.position;
    if (this.#isAsking) return;
    clearTimeout(this.#timer);
    void this.#ask();
  }

  /** Call when the log contains no other transactions up to the position. */
  reach(position: LogPosition): void {
    this.#end = position;
    if (this.#waiting.length === 0) this.publish();
  }

  /** Reports the position up to which all transactions are visible, if it is known. */
  publish(): void {
    const position = this.#position;
    if (position !== undefined && !this.#isClosed) this.#options.onPosition(position);
  }

  /** Undefined while the log may have missed transactions. */
  get #position(): LogPosition | undefined {
    if (this.#early?.size !== 0) return undefined;
    return this.#waiting.length === 0 ? this.#end : this.#released;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#onStarted();
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const asked = this.#waiting.length;
    const shown = await attempt(() => this.#readSnapshot(), this.#options.observe);
    this.#isAsking = false;
    if (this.#isClosed) return;
    if (!shown.ok) return this.#askAgain(FAILURE_PAUSE_MS);
    this.#settleEarly(shown.value);
    this.#release(shown.value);
    this.publish();
    if (this.#waiting.length > 0) this.#askAgain(this.#waiting.length > asked ? 0 : PAUSE_MS);
    else if (this.#early !== undefined && this.#early.size > 0) {
      this.#idlePause = Math.min(this.#idlePause * 2, MAX_IDLE_PAUSE_MS);
      this.#askAgain(this.#idlePause);
    }
  }

  async #readSnapshot(): Promise<Result<Snapshot, ApiError>> {
    const reply = await this.#options.query(SNAPSHOT_SQL, []);
    return reply.ok ? ok(parseSnapshot(reply.value[0]?.[0] ?? '')) : reply;
  }

  #askAgain(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#ask(), milliseconds);
  }

  #settleEarly({ running }: Snapshot): void {
    if (this.#early === undefined) {
      this.#early = running;
      this.#onStarted();
      return;
    }
    const rest = new Set([...this.#early].filter((xid) => running.has(xid)));
    const hasSettled = rest.size < this.#early.size;
    this.#early = rest;
    if (hasSettled) this.#options.onUnlogged();
  }

  #release(snapshot: Snapshot): void {
    const held = this.#waiting.findIndex(({ xid }) => !shows(snapshot, xid));
    const visible = held < 0 ? this.#waiting : this.#waiting.slice(0, held);
    if (visible.length === 0) return;
    this.#waiting = held < 0 ? [] : this.#waiting.slice(held);
    for (const { byteLength } of visible) this.#waitingBytes -= byteLength;
    this.#released = visible.at(-1)?.position;
    this.#heldSince = performance.now();
    this.#options.onVisible(visible, this.#position);
  }
}
