// Calls a function at the interval of `live-resync`.

export class ResyncTimer {
  readonly #seconds: () => number;
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(seconds: () => number, onDue: () => void) {
    this.#seconds = seconds;
    this.#onDue = onDue;
  }

  /** The first interval is shortened at random, so that groups that start together do not read together. */
  start(): void {
    this.#wait(Math.random());
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(part: number): void {
    const milliseconds = part * this.#seconds() * 1000;
    this.#timer = setTimeout(() => {
      this.#wait(1);
      this.#onDue();
    }, milliseconds);
  }
}
