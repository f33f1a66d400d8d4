// Debounces calls: runs the first one immediately; those within the window run once at its end.

export class Debouncer {
  /** Milliseconds. */
  readonly #window: number;
  #timer: NodeJS.Timeout | undefined;
  #pending: (() => void) | undefined;

  constructor(window: number) {
    this.#window = window;
  }

  readonly run = (action: () => void): void => {
    if (this.#timer !== undefined) {
      this.#pending = action;
      return;
    }
    this.#open();
    action();
  };

  #open(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const pending = this.#pending;
      this.#pending = undefined;
      if (pending !== undefined) this.run(pending);
    }, this.#window);
    this.#timer.unref();
  }
}
