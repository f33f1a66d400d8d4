// Runs a task once for all who ask for it before it begins.

export class SharedRuns<T> {
  readonly #waiting: Map<string, Promise<T>> = new Map();
  readonly #running: Map<string, Promise<T>> = new Map();

  /**
   * Resolves with the result of a run that begins after the call; calls with the same key share it. One run of a key is
   * under way at a time.
   *
   * @param task must not reject
   */
  run(key: string, task: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const next = this.#runNext(key, task);
    this.#waiting.set(key, next);
    return next;
  }

  async #runNext(key: string, task: () => Promise<T>): Promise<T> {
    await this.#running.get(key);
    this.#waiting.delete(key);
    const running = task();
    this.#running.set(key, running);
    const result = await running;
    if (this.#running.get(key) === running) this.#running.delete(key);
    return result;
  }
}
