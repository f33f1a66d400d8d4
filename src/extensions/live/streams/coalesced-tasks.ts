import { CoalescedTask } from '../../../service/scheduling/coalesced-task.ts';

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
