// Estimates the round trip to the database from the times between a write and its first reply. Follows the shortest
// time; longer times raise the estimate slowly, since latency may change.

const WEIGHT = 1 / 256;

export class RoundTrip {
  #milliseconds: number | undefined;

  /** Returns 0 while unknown. */
  get milliseconds(): number {
    return this.#milliseconds ?? 0;
  }

  note(milliseconds: number): void {
    const former = this.#milliseconds ?? milliseconds;
    this.#milliseconds = Math.min(milliseconds, former + WEIGHT * (milliseconds - former));
  }
}
