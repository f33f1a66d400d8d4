// A discrete-event simulation: timers in the order of their times, and tasks that share the cores of one machine. No
// I/O.

/** An event and the time at which it happens. */
interface Entry {
  readonly at: number;
  readonly happen: () => void;
}

export class Simulation {
  readonly #cores: number;
  readonly #timers: Entry[] = [];
  /** Tasks by the value of `#attained` at which they end. */
  readonly #tasks: Entry[] = [];
  #now = 0;
  /** CPU time attained by a task that runs since the start: all running tasks attain the same. */
  #attained = 0;

  /** @param cores may be fractional, because other programs may use part of a core */
  constructor(cores: number) {
    this.#cores = cores;
  }

  /** The current time, in the unit of the caller's delays and work. */
  get now(): number {
    return this.#now;
  }

  after(delay: number, happen: () => void): void {
    insert(this.#timers, { at: this.#now + delay, happen });
  }

  /** Starts a task that takes CPU time: at most one core, and an equal share if there are more tasks than cores. */
  run(work: number, happen: () => void): void {
    insert(this.#tasks, { at: this.#attained + work, happen });
  }

  /** Runs until the given time, or until no events are left. @param end time on the simulated clock */
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

/** Inserts an entry after those with the same time. */
function insert(entries: Entry[], entry: Entry): void {
  let index = entries.length;
  while (index > 0 && (entries[index - 1]?.at ?? 0) > entry.at) index -= 1;
  entries.splice(index, 0, entry);
}
