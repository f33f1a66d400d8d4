// Keeps the keys of one issuer up to date (`beyond.md` §3.3): loads them at the start, again when they expire, and again
// for a token signed with an unknown key. Keys that were loaded stay in use while loading fails.
import type { VerificationKey } from '../../auth/keys.ts';
import { selectKeys, type SigningKey } from '../../auth/verify-jwt.ts';
import type { Result } from '../../contract/result.ts';
import type { KeyProvider } from '../../serve/extension.ts';
import type { LoadedKeys } from './load-issuer-keys.ts';
import { retryDelay } from '../../service/scheduling/waiting.ts';

export interface IssuerKeysOptions {
  /** The error is a sentence without a period. */
  readonly load: (stop: AbortSignal) => Promise<Result<LoadedKeys, string>>;
  /** Called when the keys have been replaced. */
  readonly onLoaded: (count: number) => void;
  /** Called with a sentence without a period. @param seconds time until the next attempt */
  readonly onFailed: (reason: string, seconds: number) => void;
}

/** Shortest interval of loads for tokens with unknown keys. Loads for other reasons do not count. */
const UNKNOWN_KEY_INTERVAL_MS = 30_000;

export class IssuerKeys implements KeyProvider {
  readonly #options: IssuerKeysOptions;
  readonly #stop = new AbortController();
  #keys: readonly VerificationKey[] | undefined;
  #loading: Promise<void> | undefined;
  #failures = 0;
  /** When a load was last started for an unknown key, in milliseconds of the monotonic clock. */
  #soughtAt = Number.NEGATIVE_INFINITY;
  /** When the next load is due. */
  #dueAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    void this.#load();
  }

  get keys(): readonly VerificationKey[] | undefined {
    return this.#keys;
  }

  get retryAfter(): number {
    return Math.max(1, Math.ceil((this.#dueAt - performance.now()) / 1000));
  }

  /** A key that is known for other algorithms is sought too, because the issuer may have replaced it. */
  awaitKey(wanted: SigningKey): Promise<void> | undefined {
    if (this.#keys === undefined) return this.#loading;
    if (wanted.kid === undefined || selectKeys(wanted, this.#keys).length > 0) return undefined;
    if (this.#loading !== undefined) return this.#loading;
    const now = performance.now();
    if (now - this.#soughtAt < UNKNOWN_KEY_INTERVAL_MS) return undefined;
    this.#soughtAt = now;
    return this.#load();
  }

  stop(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  #load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#loading ??= this.#attempt().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #attempt(): Promise<void> {
    const loaded = await this.#options.load(this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    if (loaded.ok) {
      this.#failures = 0;
      this.#keys = loaded.value.keys;
      this.#schedule(loaded.value.lifetime);
      this.#options.onLoaded(loaded.value.keys.length);
    } else {
      const seconds = retryDelay(this.#failures);
      this.#failures += 1;
      this.#schedule(seconds);
      this.#options.onFailed(loaded.error, seconds);
    }
  }

  #schedule(seconds: number): void {
    this.#dueAt = performance.now() + seconds * 1000;
    this.#timer = setTimeout(() => void this.#load(), seconds * 1000).unref();
  }
}
