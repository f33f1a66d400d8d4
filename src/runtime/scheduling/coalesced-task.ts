// Asked for any number of times while it runs, a task runs once more and not more often.

export class CoalescedTask {
  readonly #task: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Resolves after a run that began no earlier than now. */
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
