// Measures the phases of a request for the `Server-Timing` header (`operating.md` §10.6) and for traces.

const PHASES = ['jwt', 'parse', 'plan', 'transaction', 'response'] as const;

export type Phase = (typeof PHASES)[number];

/** Called with the times of the clock between which a phase, or a part of it, ran. */
export type OnPhase = (phase: Phase, from: number, to: number) => void;

/** @returns undefined if nobody wants to know the phases */
export function startPhases({ config, trace, clock }: Timed): PhaseClock | undefined {
  const { serverTimingEnabled: isRendered } = config;
  const onPhase = trace?.onPhase;
  return isRendered || onPhase !== undefined ? new PhaseClock(clock, { isRendered, onPhase }) : undefined;
}

interface Timed {
  readonly config: { readonly serverTimingEnabled: boolean };
  readonly trace?: { readonly onPhase: OnPhase | undefined } | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
}

interface PhaseUse {
  /** Whether the response has the header. */
  readonly isRendered: boolean;
  readonly onPhase: OnPhase | undefined;
}

export class PhaseClock {
  readonly #now: () => number;
  readonly #durations = new Map<Phase, number>();
  readonly #use: PhaseUse;
  #last: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number, use: PhaseUse = { isRendered: true, onPhase: undefined }) {
    this.#now = now;
    this.#use = use;
    this.#last = now();
  }

  /** Assigns the time since the last mark to `phase`, which may occur more than once. */
  mark(phase: Phase): void {
    const now = this.#now();
    this.#durations.set(phase, (this.#durations.get(phase) ?? 0) + now - this.#last);
    this.#use.onPhase?.(phase, this.#last, now);
    this.#last = now;
  }

  /** Renders the header value: always all five phases, in milliseconds; undefined: the response has none. */
  render(): string | undefined {
    if (!this.#use.isRendered) return undefined;
    return PHASES.map((phase) => `${phase};dur=${(this.#durations.get(phase) ?? 0).toFixed(1)}`).join(', ');
  }
}
