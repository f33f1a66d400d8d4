// Keeps a pool that has some connections from asking for more at every request while the database has no room for them:
// one attempt, a rest, one attempt, until one succeeds.
import type { ApiError } from '../errors/api-error.ts';

export interface OpeningBrakeOptions {
  /** Milliseconds. */
  readonly rest: number;
  /** Called once until an attempt succeeds. */
  onShortage(error: ApiError): void;
  onRested(): void;
}

export class OpeningBrake {
  readonly #options: OpeningBrakeOptions;
  #isShort = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OpeningBrakeOptions) {
    this.#options = options;
  }

  /** How many attempts may be under way. */
  get limit(): number {
    if (!this.#isShort) return Infinity;
    return this.#timer === undefined ? 1 : 0;
  }

  noticeFailure(error: ApiError): void {
    if (!this.#isShort) this.#options.onShortage(error);
    this.#isShort = true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#options.onRested();
    }, this.#options.rest).unref();
  }

  release(): void {
    this.#isShort = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
