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

/** Coalesces requests for tasks with the same key. */
export class CoalescedTasks<T> {
  /** Without those that are idle. */
  readonly #tasks: Map<string, CoalescedTask<T>> = new Map();

  /**
   * Resolves with the result of a run that started after this call.
   *
   * @param task what the key stands for
   */
  async request(key: string, task: () => Promise<T>): Promise<T> {
    const coalesced = this.#tasks.get(key) ?? new CoalescedTask(task);
    this.#tasks.set(key, coalesced);
    const result = await coalesced.request();
    if (coalesced.isIdle) this.#tasks.delete(key);
    return result;
  }
}
