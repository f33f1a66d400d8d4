// Limits how many reads are sent a second time to a tenth of all reads, so that a database that is slow overall does
// not get twice the work.

const SHARE = 1 / 10;
/** Largest number of reads saved up for the next slow script. */
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
