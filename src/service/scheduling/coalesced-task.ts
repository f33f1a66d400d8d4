// Coalesces requests for a task: requests during a run cause exactly one further run.

export class CoalescedTask {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Resolves after a run that started after this call. */
  request(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#start();
    this.#next = this.#running.finally(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }

  #start(): Promise<void> {
    this.#running = this.#task().finally(() => (this.#running = undefined));
    return this.#running;
  }
}
