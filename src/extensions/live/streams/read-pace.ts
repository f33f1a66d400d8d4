// Decides when a group of live streams may read again, and when it must.
import { type ApiError, isConnectionFailure } from '../../../errors/api-error.ts';

/** Four times the CPU time of one event for one stream, so that fan-out takes at most a quarter of a core. */
const PAUSE_PER_STREAM_MS = 0.08;
const RETRY_MS = 1000;
/** Retries of a read after transient errors. */
const MAX_RETRIES = 30;

export class ReadPace {
  /** When the streams can take another event. */
  #forAll = 0;
  /** When changes may be read. */
  #forChanges = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerEnds = 0;
  #retries = 0;

  /**
   * Whether a read may begin. If not, `retry` is called when it may.
   * @param isAwaited whether requests wait for the read, which an interval must not delay
   */
  isDue(isAwaited: boolean, retry: () => void): boolean {
    const now = performance.now();
    const due = isAwaited ? this.#forAll : Math.max(this.#forAll, this.#forChanges);
    if (due <= now) return true;
    if (this.#timer === undefined || due < this.#timerEnds) {
      this.stop();
      this.#timerEnds = due;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        retry();
      }, due - now);
    }
    return false;
  }

  /** @param next when changes may be read, @param streams that have received an event */
  noteRead(next: number, streams: number): void {
    this.#forAll = performance.now() + PAUSE_PER_STREAM_MS * streams;
    this.#forChanges = next;
    this.#retries = 0;
  }

  /** Whether to retry later after this error. */
  mayRetry(error: ApiError): boolean {
    this.#retries += 1;
    this.#forAll = performance.now() + RETRY_MS;
    return isPassing(error) && this.#retries <= MAX_RETRIES;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const KINDS: ReadonlySet<ApiError['kind']> = new Set<ApiError['kind']>([
  'overloaded',
  'poolTimeout',
  'schemaCacheMissing',
]);

/** Lost connections, rolled back transactions, exhausted resources, shutdown. */
const PASSING_STATES = /^(?:08|40|53|57P)/u;

/** Distinguishes transient errors, such as a lost connection, from errors that a retry cannot fix. */
function isPassing(error: ApiError): boolean {
  if (KINDS.has(error.kind) || isConnectionFailure(error)) return true;
  return error.kind === 'database' && PASSING_STATES.test(error.report.sqlstate);
}

/** Calls a function at the interval of `live-resync`. */
export class ResyncTimer {
  readonly #seconds: () => number;
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(seconds: () => number, onDue: () => void) {
    this.#seconds = seconds;
    this.#onDue = onDue;
  }

  /** The first interval is shortened at random, so that groups that start together do not read together. */
  start(): void {
    this.#wait(Math.random());
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(part: number): void {
    const milliseconds = part * this.#seconds() * 1000;
    this.#timer = setTimeout(() => {
      this.#wait(1);
      this.#onDue();
    }, milliseconds);
  }
}
