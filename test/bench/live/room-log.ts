// What was written to a room, and when each of its clients received it.

interface Commit {
  readonly sequence: number;
  readonly dueAt: number;
}

/** Buckets of the histogram: each is the square root of two times as long as the one before, from one millisecond. */
export const BUCKETS = 32;

export class Latencies {
  readonly histogram: number[] = Array.from({ length: BUCKETS }, () => 0);
  readonly #all: number[] = [];

  add(milliseconds: number): void {
    this.#all.push(milliseconds);
    const bucket = Math.max(0, Math.min(BUCKETS - 1, Math.ceil(2 * Math.log2(milliseconds))));
    this.histogram[bucket] = (this.histogram[bucket] ?? 0) + 1;
  }

  get count(): number {
    return this.#all.length;
  }

  /** @returns values at these parts of the sorted latencies */
  quantiles(...parts: readonly number[]): readonly number[] {
    const sorted = Float64Array.from(this.#all).sort();
    return parts.map((part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN);
  }
}

export class RoomLog {
  readonly commits: Commit[] = [];
}

/** One client of a room. */
export class RoomReader {
  readonly #log: RoomLog;
  #next = 0;

  constructor(log: RoomLog) {
    this.#log = log;
  }

  /** Number of commits that the client has not received. */
  get missing(): number {
    return this.#log.commits.length - this.#next;
  }

  /** Skips what was written before. */
  startOver(): void {
    this.#next = this.#log.commits.length;
  }

  /** @param sequence the highest one in what has arrived */
  receive(sequence: number, latencies: Latencies): void {
    const now = performance.now();
    for (;;) {
      const commit = this.#log.commits[this.#next];
      if (commit === undefined || commit.sequence > sequence) return;
      latencies.add(now - commit.dueAt);
      this.#next += 1;
    }
  }
}
