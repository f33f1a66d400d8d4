// Records when the primary was at which WAL position and computes how far a replica lags behind. Pure. An idle primary
// causes no lag, and the clocks of the machines need not agree.

interface Sample {
  readonly lsn: bigint;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

/** Minimum distance between two samples, as a fraction of the retention time. */
const SPACING = 1 / 1000;

export class PositionHistory {
  readonly #keptMs: number;
  #samples: Sample[] = [];

  /** @param keptMs retention time of samples */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  note(lsn: bigint, at: number): void {
    const last = this.#samples.at(-1);
    // Another server has become the primary, and its WAL is shorter.
    if (last !== undefined && lsn < last.lsn) this.#samples = [];
    else if (last !== undefined && (lsn === last.lsn || at - last.at < this.#keptMs * SPACING)) return;
    this.#samples.push({ lsn, at });
    const firstKept = this.#samples.findIndex((sample) => at - sample.at <= this.#keptMs);
    // Keep one expired sample as a lower bound.
    if (firstKept > 1) this.#samples.splice(0, firstKept - 1);
  }

  /**
   * Returns the lag in milliseconds, or undefined while nothing is known about the primary.
   *
   * @param ownMs the lag that the replica itself reports, for the time before the first sample
   */
  lagOf(lsn: bigint, now: number, ownMs: number): number | undefined {
    const [first] = this.#samples;
    if (first === undefined) return undefined;
    const missed = this.#samples.find((sample) => sample.lsn > lsn);
    if (missed === undefined) return 0;
    return missed === first ? Math.max(now - first.at, ownMs) : now - missed.at;
  }
}
