// A clock without a computer's: events in the order of their times, and tasks that share the cores of one machine. Pure.

/** What shall happen, by the value of the clock at which it does. */
interface Entry {
  readonly at: number;
  readonly happen: () => void;
}

export class Simulation {
  readonly #cores: number;
  readonly #timers: Entry[] = [];
  /** By the `#attained` at which they end. */
  readonly #tasks: Entry[] = [];
  #now = 0;
  /** CPU time that a task running from the start would have got: all that run get the same. */
  #attained = 0;

  /** @param cores need not be a whole number: others may take a part of one */
  constructor(cores: number) {
    this.#cores = cores;
  }

  /** In the unit of whoever asks for delays and work. */
  get now(): number {
    return this.#now;
  }

  after(delay: number, happen: () => void): void {
    insert(this.#timers, { at: this.#now + delay, happen });
  }

  /** Takes CPU time: at most one core, and an equal part of all where more tasks run than there are cores. */
  run(work: number, happen: () => void): void {
    insert(this.#tasks, { at: this.#attained + work, happen });
  }

  /** Or until nothing is left to happen. @param end of the clock */
  runUntil(end: number): void {
    while (this.#timers.length > 0 || this.#tasks.length > 0) {
      const [timer, task] = [this.#timers[0], this.#tasks[0]];
      const speed = Math.min(1, this.#cores / this.#tasks.length);
      const timerAt = timer?.at ?? Infinity;
      const taskAt = task === undefined ? Infinity : this.#now + (task.at - this.#attained) / speed;
      const next = Math.min(timerAt, taskAt, end);
      if (this.#tasks.length > 0) this.#attained += (next - this.#now) * speed;
      this.#now = next;
      if (Math.min(timerAt, taskAt) > end) return;
      const due = taskAt <= timerAt ? this.#tasks.shift() : this.#timers.shift();
      due?.happen();
    }
  }
}

/** Behind those of the same time. */
function insert(entries: Entry[], entry: Entry): void {
  let index = entries.length;
  while (index > 0 && (entries[index - 1]?.at ?? 0) > entry.at) index -= 1;
  entries.splice(index, 0, entry);
}
