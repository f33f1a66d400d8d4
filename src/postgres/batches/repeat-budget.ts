// Limits how many reads are sent a second time to a tenth of all reads, so that a database that is slow overall does
// not get twice the work.

const SHARE = 1 / 10;
/** Largest number of reads saved up for the next slow script. */
const MOST = 64;

export class RepeatBudget {
  #left: number = MOST;

  noteAnswer(): void {
    this.#left = Math.min(MOST, this.#left + SHARE);
  }

  /** @returns how many of `count` reads may be sent again */
  take(count: number): number {
    const granted = Math.min(count, Math.floor(this.#left));
    this.#left -= granted;
    return granted;
  }
}
