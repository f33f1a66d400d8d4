// Keeps the estimates of statements whose cost does not depend on their values, so that they are not estimated again for
// every request (`docs/decisions/cost-budget.md`).
import { type RecentLimits, RecentMap } from '../../util/recent-map.ts';
import type { Segment, TransactionScript } from '../../sql/transaction-script.ts';
import type { Estimate } from './read-estimate.ts';

interface Kept {
  readonly cost: number;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

/** Costs of one statement, by role and search path. */
type KeptByScope = Map<string, Kept>;

const LIMITS: RecentLimits<KeptByScope> = { entries: 256, size: 4096, sizeOf: (kept) => kept.size };
/** An index may be dropped and a table may grow at any time. */
const KEPT_MS = 2000;
/** Budgets must exceed a kept estimate so many times, since partial indexes and growth make small differences. */
const MARGIN = 4;

export class KeptEstimates {
  #known: RecentMap<string, KeptByScope> = new RecentMap(LIMITS);

  /** Returns the script without the budgets that its statements are known to respect. */
  admit(script: TransactionScript): TransactionScript {
    const [first, ...others] = script.segments;
    if (others.length > 0 || first.budget === undefined || !this.#admits(script, first)) return script;
    return { ...script, segments: [{ ...first, budget: undefined }] };
  }

  /** @param estimate of the main statement of the segment */
  note(script: TransactionScript, segment: Segment, estimate: Estimate): void {
    if (segment.budget?.isConstant !== true || !estimate.isLookup || segment.preRequest !== undefined) return;
    const { text } = segment.budget;
    const kept: KeptByScope = this.#known.get(text) ?? new Map();
    kept.set(scopeOf(script, segment), { cost: estimate.cost, until: performance.now() + KEPT_MS });
    this.#known.set(text, kept);
  }

  /** Call when the schema may have changed. */
  clear(): void {
    this.#known = new RecentMap(LIMITS);
  }

  #admits(script: TransactionScript, segment: Segment): boolean {
    const { budget, preRequest } = segment;
    // The function may change settings that the estimate depends on.
    if (budget?.isConstant !== true || preRequest !== undefined) return false;
    const kept = this.#known.get(budget.text)?.get(scopeOf(script, segment));
    return kept !== undefined && kept.until > performance.now() && kept.cost * MARGIN <= budget.maxCost;
  }
}

function scopeOf({ role }: TransactionScript, { settings }: Segment): string {
  return JSON.stringify([role, settings.parameters[0]]);
}
