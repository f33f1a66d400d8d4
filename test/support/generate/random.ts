// Seeded pseudo-random numbers: the same seed produces the same sequence, so a failing request can be reproduced from
// its number.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Adjacent seeds produce similar first numbers.
    for (let warmUp = 0; warmUp < 4; warmUp += 1) this.#next();
  }

  /** Returns an integer from 0 to `sides` - 1. */
  roll(sides: number): number {
    return Math.floor(this.#next() * sides);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.roll(choices.length)];
    if (chosen === undefined && !choices.includes(chosen as T)) throw new Error('nothing to pick from');
    return chosen as T;
  }

  /** Returns a list of `minimum` to `maximum` elements. */
  list<T>(minimum: number, maximum: number, make: () => T): T[] {
    return Array.from({ length: minimum + this.roll(maximum - minimum + 1) }, make);
  }

  /** Mulberry32: returns a number from 0 up to 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
