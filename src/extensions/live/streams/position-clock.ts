// Sends positions to streams that asked for them while nothing changes (`beyond.md` §6.2): one timer for all of them.
import { runSlicesWithPauses, visitInSlices } from '../../../util/slices.ts';
import type { LiveResponse } from './live-response.ts';

export interface PositionClockOptions {
  /** Asks the database how far the log reaches; `advance` is called when it has reported that. */
  readonly ask: () => void;
  /** Yields to other work. */
  readonly pause: () => Promise<unknown>;
}

const INTERVAL_MS = 1000;
/** Twenty times the CPU time of one position, so that all of them take at most a twentieth of a core. */
const PAUSE_PER_STREAM_MS = 0.5;

export class PositionClock {
  readonly #options: PositionClockOptions;
  readonly #responses: Set<LiveResponse> = new Set();
  #asking: NodeJS.Timeout | undefined;
  #sending: NodeJS.Timeout | undefined;
  #lastSent = 0;

  constructor(options: PositionClockOptions) {
    this.#options = options;
  }

  add(response: LiveResponse): void {
    this.#responses.add(response);
    if (this.#asking !== undefined) return;
    this.#asking = setInterval(this.#options.ask, INTERVAL_MS);
    this.#options.ask();
  }

  remove(response: LiveResponse): void {
    if (!this.#responses.delete(response) || this.#responses.size > 0) return;
    clearInterval(this.#asking);
    clearTimeout(this.#sending);
    this.#asking = undefined;
    this.#sending = undefined;
  }

  /** Call when the log has advanced. */
  advance(): void {
    if (this.#responses.size === 0 || this.#sending !== undefined) return;
    const pause = Math.max(INTERVAL_MS, this.#responses.size * PAUSE_PER_STREAM_MS);
    const due = this.#lastSent + pause - performance.now();
    this.#sending = setTimeout(() => void this.#send(), Math.max(0, due));
  }

  /** The log may advance meanwhile, which the next call of `advance` reports. */
  async #send(): Promise<void> {
    this.#lastSent = performance.now();
    const slices = visitInSlices([...this.#responses], (response) => response.pushPosition());
    await runSlicesWithPauses(slices, this.#options.pause);
    this.#sending = undefined;
  }
}
