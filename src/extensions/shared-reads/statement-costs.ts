// Estimates how long the next read with the same statement text takes, from the durations of earlier ones.
import { type RecentLimits, RecentMap } from '../../util/recent-map.ts';

/** Durations in milliseconds. */
export interface StatementCost {
  /** The mean of the logarithms, which a few late answers on a busy machine hardly move. */
  readonly typical: number;
  /** The plain mean, which shows a text of which some answers take long. */
  readonly mean: number;
}

export type CostLimits = Pick<RecentLimits<unknown>, 'entries' | 'size'>;

/** `size` counts characters of statement texts. */
export const COST_LIMITS: CostLimits = { entries: 512, size: 262_144 };

/** The weight of the latest duration. */
const TYPICAL_WEIGHT = 1 / 4;
const MEAN_WEIGHT = 1 / 32;
/** Milliseconds; shorter times measure how answers arrived together, not how long they took. */
const SHORTEST_MS = 0.05;

export class StatementCosts {
  readonly #costs: RecentMap<string, StatementCost & { readonly textLength: number; typical: number; mean: number }>;

  constructor(limits: CostLimits) {
    this.#costs = new RecentMap({ ...limits, sizeOf: ({ textLength }) => textLength });
  }

  /** Returns `undefined` for a text that is new. */
  expected(text: string): StatementCost | undefined {
    return this.#costs.get(text);
  }

  note(text: string, milliseconds: number): void {
    const latest = Math.max(milliseconds, SHORTEST_MS);
    const cost = this.#costs.get(text);
    if (cost === undefined) {
      this.#costs.set(text, { typical: latest, mean: latest, textLength: text.length });
      return;
    }
    cost.typical *= (latest / cost.typical) ** TYPICAL_WEIGHT;
    cost.mean += MEAN_WEIGHT * (latest - cost.mean);
  }
}
