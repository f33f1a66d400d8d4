// Limits how many reads are sent a second time: on average a tenth of those answered in batches, plus up to 64 saved up.
// A database that is slow overall must not get twice the work.

const SHARE = 1 / 10;
/** Largest number of repeated reads saved up for the next slow script, and the number at the start. */
const MAX_BUDGET = 64;

export class HedgeBudget {
  #budget: number = MAX_BUDGET;

  noteAnswer(): void {
    this.#budget = Math.min(MAX_BUDGET, this.#budget + SHARE);
  }

  /** @returns how many of `count` reads may be sent again */
  take(count: number): number {
    const granted = Math.min(count, Math.floor(this.#budget));
    this.#budget -= granted;
    return granted;
  }
}
