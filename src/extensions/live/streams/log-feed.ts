// Keeps the log of the database open while clients watch rows, and passes transactions on once they are visible.
import { randomBytes } from 'node:crypto';
import type { LogTransaction } from '../log/log-changes.ts';
import type { LogPosition } from '../../../contract/log-position.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { Observe } from '../../../observe/observation.ts';
import type { LogStream, LogStreamOptions } from '../log/log-stream.ts';
import { attempt } from './attempt.ts';
import { CommitGate, type CommitGateOptions } from './commit-gate.ts';
import { retryDelay } from '../../../service/scheduling/waiting.ts';

export interface LogFeedOptions extends Pick<CommitGateOptions, 'query' | 'onVisible' | 'onPosition' | 'onUnlogged'> {
  readonly open: (
    options: Pick<LogStreamOptions, 'slot' | 'onTransaction' | 'onPosition' | 'onLoss'>,
  ) => Promise<Result<LogStream, ApiError>>;
  readonly observe: Observe;
  /** Called when the log is open again; changes may have been missed. */
  readonly onReopened: () => void;
}

/** How long a request waits for the log. The log begins only after all running write transactions have ended. */
const MAX_WAIT_MS = 5000;
const MAX_DELAY_S = 8;
/** The log is paused while more transactions are held back. */
const MAX_HELD = 10_000;
/** The same limit, in bytes of their changes. */
const MAX_HELD_BYTES = 16_777_216;

export class LogFeed {
  readonly #options: LogFeedOptions;
  #stream: LogStream | undefined;
  #gate: CommitGate | undefined;
  #opening: Promise<Result<void, ApiError>> | undefined;
  #isWanted = false;
  #wasLost = false;
  #isPaused = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LogFeedOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#stream !== undefined;
  }

  /** Age in seconds of the oldest transaction that is held back. */
  get lag(): number {
    return this.#gate?.lag ?? 0;
  }

  /** Resolves when the log is open. Error: the log is not available within seconds. */
  async request(): Promise<Result<void, ApiError>> {
    this.#isWanted = true;
    if (this.isOpen) return ok(undefined);
    const opening = this.#attempt();
    return Promise.race([opening, tooLate()]);
  }

  /** Asks the database how far the log reaches. */
  ask(): void {
    this.#stream?.ask();
  }

  /** A pending attempt to open the log continues, because a new one would need another slot. */
  async close(): Promise<void> {
    this.#isWanted = false;
    this.#wasLost = false;
    clearTimeout(this.#timer);
    this.#gate?.close();
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream !== undefined) await this.#end(stream);
  }

  async #end(stream: LogStream): Promise<void> {
    await attempt(async () => ok(await stream.close()), this.#options.observe);
  }

  #attempt(): Promise<Result<void, ApiError>> {
    this.#opening ??= attempt(() => this.#open(), this.#options.observe);
    return this.#opening;
  }

  async #open(): Promise<Result<void, ApiError>> {
    clearTimeout(this.#timer);
    const { open, query, onVisible, onUnlogged, observe } = this.#options;
    const gate = new CommitGate({
      query,
      observe,
      onUnlogged,
      // Until `#begin`, groups have not read what they missed.
      onPosition: (position) => {
        if (this.#gate === gate) this.#options.onPosition(position);
      },
      onVisible: (transactions, position) => {
        onVisible(transactions, this.#gate === gate ? position : undefined);
        this.#balance();
      },
    });
    const log = {
      slot: `rowhouse_live_${process.pid}_${randomBytes(6).toString('hex')}`,
      onTransaction: (transaction: LogTransaction) => {
        gate.add(transaction);
        this.#balance();
      },
      onPosition: (position: LogPosition) => gate.reach(position),
      onLoss: (details: string) => this.#lose(gate, details),
    };
    const opened = await attempt(() => open(log), observe);
    if (opened.ok) gate.begin(opened.value.start);
    if (opened.ok && this.#isWanted) await gate.start();
    this.#opening = undefined;
    if (!this.#isWanted) {
      gate.close();
      if (opened.ok) await this.#end(opened.value);
      return fail({ kind: 'overloaded', details: 'The changes of rows are no longer read', option: undefined });
    }
    if (!opened.ok) {
      observe({ kind: 'liveLogFailed', error: opened.error });
      this.#retryLater();
      return opened;
    }
    if (gate.isClosed) {
      this.#retryLater();
      return fail({ kind: 'connectionLost', details: 'the log ended at once' });
    }
    this.#begin(opened.value, gate);
    return ok(undefined);
  }

  #begin(stream: LogStream, gate: CommitGate): void {
    this.#stream = stream;
    this.#gate = gate;
    this.#failures = 0;
    this.#options.observe({ kind: 'liveLogOpened' });
    if (this.#wasLost) this.#options.onReopened();
    this.#wasLost = false;
    gate.publish();
  }

  #lose(gate: CommitGate, details: string): void {
    gate.close();
    if (this.#gate !== gate) return;
    this.#stream = undefined;
    this.#wasLost = true;
    this.#isPaused = false;
    this.#options.observe({ kind: 'liveLogFailed', error: { kind: 'connectionLost', details } });
    this.#retryLater();
  }

  #retryLater(): void {
    if (!this.#isWanted) return;
    const seconds = this.#failures === 0 && this.#wasLost ? 0.1 : Math.min(retryDelay(this.#failures), MAX_DELAY_S);
    this.#failures += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#attempt(), seconds * 1000);
  }

  /** Pauses the log while too many changes are held back. */
  #balance(): void {
    const { size = 0, bytes = 0 } = this.#gate ?? {};
    const mustPause = size > MAX_HELD || bytes > MAX_HELD_BYTES;
    if (mustPause === this.#isPaused) return;
    this.#isPaused = mustPause;
    if (mustPause) this.#stream?.pause();
    else this.#stream?.resume();
  }
}

async function tooLate(): Promise<Result<never, ApiError>> {
  const details = 'The changes of rows cannot be read yet';
  return new Promise((resolve) => {
    setTimeout(() => resolve(fail({ kind: 'overloaded', details, option: undefined })), MAX_WAIT_MS).unref();
  });
}
