// In: the times from a write to its first answer. Out: what of such a time is the way to the database and back: the
// shortest one, which longer ones raise slowly, since the way may change.

const WEIGHT = 1 / 256;

export class RoundTrip {
  #milliseconds: number | undefined;

  /** 0 while nothing is known. */
  get milliseconds(): number {
    return this.#milliseconds ?? 0;
  }

  note(milliseconds: number): void {
    const former = this.#milliseconds ?? milliseconds;
    this.#milliseconds = Math.min(milliseconds, former + WEIGHT * (milliseconds - former));
  }
}
