// In: answers. Out: how many reads may be asked a second time: a tenth of them, so that a database that is slow as a whole
// does not get twice the work.

const SHARE = 1 / 10;
/** Kept for the next slow script. */
const MOST = 64;

export class RepeatBudget {
  #left: number = MOST;

  noteAnswer(): void {
    this.#left = Math.min(MOST, this.#left + SHARE);
  }

  /** @returns how many of `count` reads may be repeated */
  take(count: number): number {
    const granted = Math.min(count, Math.floor(this.#left));
    this.#left -= granted;
    return granted;
  }
}
