// Coalesces requests for a task: requests during a run cause exactly one further run.

export class CoalescedTask<T = void> {
  readonly #task: () => Promise<T>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(task: () => Promise<T>) {
    this.#task = task;
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#next === undefined;
  }

  /** Resolves with the result of a run that started after this call. */
  request(): Promise<T> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#start();
    const start = (): Promise<T> => {
      this.#next = undefined;
      return this.#start();
    };
    this.#next = this.#running.then(start, start);
    return this.#next;
  }

  #start(): Promise<T> {
    this.#running = this.#task().finally(() => (this.#running = undefined));
    return this.#running;
  }
}
