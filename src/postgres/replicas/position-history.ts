// In: where the primary was, and when. Out: how long ago it was where somebody else is now. Pure: a primary that writes
// nothing leaves nobody behind, and the clocks of several machines need not agree.

interface Sample {
  readonly lsn: bigint;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

/** Of the time that is kept: two samples are at least so far apart. */
const SPACING = 1 / 1000;

export class PositionHistory {
  readonly #keptMs: number;
  #samples: Sample[] = [];

  /** @param keptMs what is older is only known to be older */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  note(lsn: bigint, at: number): void {
    const last = this.#samples.at(-1);
    // Another server is the primary now, whose log is shorter.
    if (last !== undefined && lsn < last.lsn) this.#samples = [];
    else if (last !== undefined && (lsn === last.lsn || at - last.at < this.#keptMs * SPACING)) return;
    this.#samples.push({ lsn, at });
    const firstKept = this.#samples.findIndex((sample) => at - sample.at <= this.#keptMs);
    // The newest of those that are too old still tells what is behind all the others.
    if (firstKept > 1) this.#samples.splice(0, firstKept - 1);
  }

  /**
   * @param ownMs what the server itself tells, for the time before there were samples
   * @returns milliseconds; undefined while nothing is known of the primary
   */
  lagOf(lsn: bigint, now: number, ownMs: number): number | undefined {
    const [first] = this.#samples;
    if (first === undefined) return undefined;
    const missed = this.#samples.find((sample) => sample.lsn > lsn);
    if (missed === undefined) return 0;
    return missed === first ? Math.max(now - first.at, ownMs) : now - missed.at;
  }
}
