// Decides when to load the schema cache: one load at a time, one more if requested in the meantime, and retries with
// exponential backoff (`operating.md` §5.11, §6.5).
import { retryDelay } from '../scheduling/waiting.ts';

export interface LoadLoopOptions {
  /**
   * Tries to reach the database and load the cache; `true` on success.
   * @param isRetry whether the attempt is automatic, because the last one failed
   */
  readonly attempt: (isRetry: boolean) => Promise<boolean>;
  /** Called before each pause after a failure. */
  readonly onWaiting: (seconds: number) => void;
  /** Called every second during a pause. Returns whether the database is available again. */
  readonly isAvailable: () => Promise<boolean>;
}

const PROBE_INTERVAL_MS = 1000;
/** Requests within this time after a load are served by one further load. */
const PAUSE_MS = 100;

export class LoadLoop {
  readonly #options: LoadLoopOptions;
  #isRunning = false;
  #isStopped = false;
  #isRequested = false;
  /** Whether the loop is in the pause after a successful load. */
  #isPausedAfterSuccess = false;
  #isProbing = false;
  #lastAttempt: 'none' | 'failed' | 'succeeded' = 'none';
  /** Ends the current pause early. */
  #wake: (() => void) | undefined;
  #startedCount = 0;
  #endedCount = 0;
  /** Milliseconds of the monotonic clock. */
  #retryAt: number | undefined;
  /** Called at the end of every attempt, or of the loop. */
  readonly #watchers: Set<() => void> = new Set();

  constructor(options: LoadLoopOptions) {
    this.#options = options;
  }

  get hasSucceeded(): boolean {
    return this.#lastAttempt === 'succeeded';
  }

  /** Seconds until the next planned attempt; 0 if none is planned. */
  get retryAfter(): number {
    return this.#retryAt === undefined ? 0 : Math.max(0, Math.ceil((this.#retryAt - performance.now()) / 1000));
  }

  /** Whether an attempt has failed and the next one is not due yet. */
  get isPausing(): boolean {
    return this.#retryAt !== undefined;
  }

  /** Requests a load: the schema has changed, or the database is available again. Ends a pause after a failure. */
  request(): void {
    this.#isRequested = true;
    if (this.isPausing) this.#wake?.();
    else void this.#run();
  }

  /** @returns whether the first attempt that starts from now on succeeds; undefined if none will follow */
  async requestAttempt(): Promise<boolean | undefined> {
    const earlier = this.#startedCount;
    this.request();
    while (!this.#isStopped && this.#endedCount <= earlier) await this.#awaitNotice();
    return this.#endedCount <= earlier ? undefined : this.hasSucceeded;
  }

  /** Call when a request has found the database unreachable. */
  noticeLoss(): void {
    // A running load will notice the loss itself, unless it has already succeeded.
    if (this.#isPausedAfterSuccess) this.#isRequested = true;
    void this.#run();
  }

  /** Resolves when an attempt has ended or succeeded; immediately if one already has, or if none will follow. */
  async awaitAttempt(which: 'ended' | 'succeeded'): Promise<void> {
    const isDone = (): boolean =>
      this.#isStopped || (which === 'ended' ? this.#lastAttempt !== 'none' : this.hasSucceeded);
    while (!isDone()) await this.#awaitNotice();
  }

  /** Prevents further attempts. */
  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
    this.#notify();
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    do {
      await this.#loadUntilSuccess();
      this.#isPausedAfterSuccess = true;
      await this.#sleep(PAUSE_MS);
      this.#isPausedAfterSuccess = false;
    } while (this.#isRequested && !this.#isStopped);
    this.#isRunning = false;
  }

  async #loadUntilSuccess(): Promise<void> {
    for (let retries = 0; !this.#isStopped; retries += 1) {
      const isRetry = retries > 0 && !this.#isRequested;
      // A change made after this moment requires another load.
      this.#isRequested = false;
      this.#startedCount += 1;
      const hasSucceeded = await this.#options.attempt(isRetry);
      if (this.#isStopped) return;
      this.#endedCount += 1;
      this.#lastAttempt = hasSucceeded ? 'succeeded' : 'failed';
      this.#notify();
      if (hasSucceeded) return;
      const seconds = retryDelay(retries);
      this.#options.onWaiting(seconds);
      this.#retryAt = performance.now() + seconds * 1000;
      const probing = setInterval(() => void this.#probe(), PROBE_INTERVAL_MS);
      if (!this.#isRequested) await this.#sleep(seconds * 1000);
      clearInterval(probing);
      this.#retryAt = undefined;
    }
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const isAvailable = await this.#options.isAvailable();
    this.#isProbing = false;
    if (isAvailable && this.isPausing) this.#wake?.();
  }

  #awaitNotice(): Promise<void> {
    return new Promise((resolve) => this.#watchers.add(resolve));
  }

  #notify(): void {
    for (const resolve of this.#watchers) resolve();
    this.#watchers.clear();
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
