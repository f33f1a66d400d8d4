// One event under load, from a moment before it until the cluster is whole again.
import { until } from '../support/until.ts';
import { firstWriteAfter, tally } from './notes.ts';
import type { Row } from './report.ts';
import type { Stage } from './stage.ts';

/** Writes before and after an event. */
const STEADY = 100;

export class Experiment {
  readonly #stage: Stage;
  readonly #event: string;
  /** Time on the monotonic clock in milliseconds. */
  readonly #start: number;
  /** Number of promotions before the event. */
  readonly #promotions: number;
  #replacedAt: number | undefined;
  #hasNewLeader = false;

  private constructor(stage: Stage, event: string) {
    this.#stage = stage;
    this.#event = event;
    this.#start = performance.now();
    this.#promotions = stage.watch.promotions.length;
  }

  /** Starts an experiment; the event follows. */
  static async begin(stage: Stage, event: string): Promise<Experiment> {
    await stage.becomesWhole();
    await stage.load.writes(STEADY);
    return new Experiment(stage, event);
  }

  /** Waits for a new leader and for writes to succeed. */
  async seesNewLeader(): Promise<void> {
    const { promotions } = this.#stage.watch;
    const { at } = await until(() => promotions[this.#promotions], { seconds: 90, why: () => 'a new leader' });
    this.#replacedAt = at;
    this.#hasNewLeader = true;
    await this.#stage.load.writes(STEADY);
  }

  /** Records that the lost process or server has been replaced. */
  noteReplacement(): void {
    this.#replacedAt = performance.now();
  }

  async conclude(): Promise<Row> {
    const { load } = this.#stage;
    await this.#stage.becomesWhole();
    await load.writes(STEADY);
    const period = { start: this.#start, end: performance.now() };
    // All writes answered so far must be stored.
    const notes = [...load.notes];
    const stored = await this.#stage.stored();
    const row = { event: this.#event, tally: tally(notes, period, stored) };
    if (this.#replacedAt === undefined) return row;
    const replacedAfter = this.#replacedAt - this.#start;
    if (!this.#hasNewLeader) return { ...row, replacedAfter };
    return { ...row, replacedAfter, writesAfter: firstWriteAfter(notes, this.#replacedAt) - this.#replacedAt };
  }
}
