// Runs a server under mixed load for a given time, with reloads, schema changes and database restarts. Collects samples
// of its resources, unexpected responses, and what remains after the load.
import { setTimeout } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { LiveWatchers } from './live-watchers.ts';
import { MixedLoad } from './mixed-load.ts';
import { SoakTestbed } from './soak-testbed.ts';
import { makeUsers, renderChange } from './soak-schema.ts';
import { countHandles, readSessions, takeSample, type Sample } from './take-sample.ts';

export interface SoakRun {
  readonly minutes: number;
  readonly seed: number;
  /** Requests per second; undefined for half of the server's capacity. */
  readonly rate: number | undefined;
  readonly onSample?: (sample: Sample) => void;
}

export interface SoakEvent {
  /** Minutes since the start. */
  readonly time: number;
  readonly name: string;
}

export interface SoakResult {
  readonly rate: number;
  readonly requests: number;
  readonly samples: readonly Sample[];
  readonly events: readonly SoakEvent[];
  /** Milliseconds from the return of the database to the readiness of the server, per restart. */
  readonly recoveries: readonly number[];
  /** Number of 503 responses while the database was down. */
  readonly excused: number;
  /** Events of live rows that clients have received. */
  readonly liveEvents: number;
  readonly problemCount: number;
  readonly problems: readonly string[];
  readonly handles: { readonly before: number; readonly after: number };
  readonly sessions: { readonly most: number; readonly after: number };
}

const MAX_SAMPLES = 240;
/** Fractions of the duration: all in the first half, so that the second half shows growth without restarts. */
const RESTARTS = [0.1, 0.25, 0.4];
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [2000, 15_000];
/** Factor by which the pauses are longer in the second half: sessions replaced by reloads would hide their growth. */
const CALM = 6;
const OLD_EVENTS = `delete from api.events where id < (select max(id) - 20000 from api.events)`;
/** In milliseconds. */
const CALIBRATION = 3000;

export async function runSoak(run: SoakRun): Promise<SoakResult> {
  const testbed = await SoakTestbed.start();
  try {
    return await new Soak(run, testbed).run();
  } finally {
    await testbed.stop();
  }
}

class Soak {
  readonly #run: SoakRun;
  readonly #testbed: SoakTestbed;
  readonly #load: MixedLoad;
  readonly #watchers: LiveWatchers;
  readonly #duration: number;
  readonly #samples: Sample[] = [];
  readonly #events: SoakEvent[] = [];
  readonly #recoveries: number[] = [];
  #start = 0;

  constructor(run: SoakRun, testbed: SoakTestbed) {
    this.#run = run;
    this.#testbed = testbed;
    this.#duration = run.minutes * 60_000;
    const users = makeUsers();
    this.#load = new MixedLoad(testbed.server.port, users, run.seed);
    this.#watchers = new LiveWatchers(testbed.server.port, users, run.seed);
  }

  async run(): Promise<SoakResult> {
    const { serverPid, databaseUri, pool } = this.#testbed;
    await this.#testbed.fillPool();
    await this.#watchers.open();
    const before = countHandles(serverPid);
    const rate = this.#run.rate ?? (await this.#load.findCapacity(Math.min(CALIBRATION, this.#duration / 10))) / 2;
    this.#start = performance.now();
    this.#load.start(rate);
    this.#watchers.start();
    await Promise.all([this.#sample(), this.#disturb()]);
    await Promise.all([this.#load.stop(), this.#watchers.stop()]);
    // Aborted requests may take a moment to finish.
    await until(() => countHandles(serverPid) <= before, { seconds: 20 }).catch(() => undefined);
    const { count, excused, problemCount, problems } = this.#load;
    const { problems: liveProblems, events: liveEvents } = this.#watchers;
    return {
      rate,
      requests: count,
      samples: this.#samples,
      events: this.#events,
      recoveries: this.#recoveries,
      excused,
      liveEvents,
      problemCount: problemCount + liveProblems.length,
      problems: [...problems, ...liveProblems.slice(0, 10)],
      handles: { before, after: countHandles(serverPid) },
      sessions: { most: pool + 1, after: (await readSessions(databaseUri)).length },
    };
  }

  get #elapsed(): number {
    return performance.now() - this.#start;
  }

  get #minutes(): number {
    return this.#elapsed / 60_000;
  }

  async #sample(): Promise<void> {
    const pause = Math.max(1000, this.#duration / MAX_SAMPLES);
    while (this.#elapsed < this.#duration) {
      await setTimeout(pause);
      const { serverPid, heapFile, databaseUri } = this.#testbed;
      const window = this.#load.takeWindow();
      const sample = await takeSample({ serverPid, heapFile, databaseUri }, this.#minutes, window);
      this.#samples.push(sample);
      this.#run.onSample?.(sample);
    }
  }

  /** Runs one disturbance after another, with restarts at their times. */
  async #disturb(): Promise<void> {
    const pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, this.#duration / 80));
    const restarts = RESTARTS.map((part) => part * this.#duration);
    let number = 0;
    for (;;) {
      const rest = this.#elapsed < this.#duration / 2 ? pause : pause * CALM;
      if (this.#elapsed + rest > this.#duration) return;
      await setTimeout(rest);
      if (this.#elapsed > (restarts[0] ?? Infinity)) {
        restarts.shift();
        await this.#note('restart', () => this.#restart());
      } else {
        await this.#disturbOnce(number);
        number += 1;
      }
    }
  }

  async #restart(): Promise<void> {
    await this.#load.excuse(async () => {
      this.#recoveries.push(await this.#testbed.restartDatabase());
    });
  }

  async #disturbOnce(number: number): Promise<void> {
    switch (number % 4) {
      case 0:
        return this.#note('schema reload', () => this.#testbed.sql(`notify svc, 'reload schema'`));
      case 1:
        return this.#note('config reload', () => this.#testbed.sql(`notify svc, 'reload config'`));
      case 2:
        return this.#note('change', () =>
          this.#testbed.sql(`${renderChange(Math.floor(number / 4))}; notify svc, 'reload schema'`),
        );
      default:
        return this.#note('clearing', () => this.#testbed.sql(OLD_EVENTS));
    }
  }

  async #note(name: string, work: () => Promise<unknown>): Promise<void> {
    this.#events.push({ time: this.#minutes, name });
    await work();
  }
}
