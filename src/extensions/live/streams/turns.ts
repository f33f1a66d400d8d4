// Runs tasks in order, no more than a number of them at a time.

export class Turns {
  readonly #maximum: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param maximum number of tasks at a time, from 1 */
  constructor(maximum: () => number) {
    this.#maximum = maximum;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#maximum()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await task();
    } finally {
      // The next one takes over the turn.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
