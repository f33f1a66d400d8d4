// Measures the phases of a request for the `Server-Timing` header (`operating.md` §10.6).

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

  /** Assigns the time since the last mark to `phase`, which may occur more than once. */
  mark(phase: Phase): void {
    const now = this.#now();
    this.#durations.set(phase, (this.#durations.get(phase) ?? 0) + now - this.#last);
    this.#last = now;
  }

  /** Renders the header value: always all five phases, in milliseconds. */
  render(): string {
    return PHASES.map((phase) => `${phase};dur=${(this.#durations.get(phase) ?? 0).toFixed(1)}`).join(', ');
  }
}
