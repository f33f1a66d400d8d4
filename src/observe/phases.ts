// How long each phase of a request took, for the `Server-Timing` header (`operating.md` §10.6).

const PHASES = ['jwt', 'parse', 'plan', 'transaction', 'response'] as const;

type Phase = (typeof PHASES)[number];

export class PhaseClock {
  readonly #now: () => number;
  readonly #durations = new Map<Phase, number>();
  #last: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
    this.#last = now();
  }

  /** The time since the last mark belongs to `phase`, which may come up again. */
  mark(phase: Phase): void {
    const now = this.#now();
    this.#durations.set(phase, (this.#durations.get(phase) ?? 0) + now - this.#last);
    this.#last = now;
  }

  /** Value of the header: always all five, in milliseconds. */
  render(): string {
    return PHASES.map((phase) => `${phase};dur=${(this.#durations.get(phase) ?? 0).toFixed(1)}`).join(', ');
  }
}
