// Runs requests for a given time and returns the results of the load generator.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface LoadOrder {
  /** Port on 127.0.0.1. */
  readonly port: number;
  readonly connections: number;
  /** Requests, sent in rotation. */
  readonly requests: readonly string[];
  /** Replaces every hundredth request; its latency does not count. */
  readonly slowRequest?: string | undefined;
  /**
   * Requests per second, at even intervals (an open loop). The latency of a request counts from the time when it was due,
   * even if no connection was free. Undefined: each connection sends its next request after the response (a closed loop).
   */
  readonly rate?: number | undefined;
  /** Expected status of every response. */
  readonly status: number;
  readonly milliseconds: number;
}

export interface LoadResult {
  readonly count: number;
  readonly failures: number;
  readonly milliseconds: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** A load generator. */
export interface Load {
  run(order: LoadOrder): Promise<LoadResult>;
  stop(): void;
}

/** After this time, a generator that has not exited is killed. */
const EXIT_TIMEOUT_MS = 20_000;

/** Uses one process for all orders: a new process would spend the start of each measurement compiling its code. */
export class LoadGenerator implements Load {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('load-generator.js', import.meta.url)));

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the load generator could not be started');
    return this.#child.pid;
  }

  async run(order: LoadOrder): Promise<LoadResult> {
    const timer = setTimeout(() => this.stop(), order.milliseconds + EXIT_TIMEOUT_MS);
    const result = this.#nextResult();
    this.#child.send(order);
    const { count, failures, ...rest } = await result;
    clearTimeout(timer);
    if (failures > 0) throw new Error(`${failures} of ${count} responses were not as expected`);
    return { count, failures, ...rest };
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  #nextResult(): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('the load generator ended without a result'));
      this.#child.once('exit', onExit);
      this.#child.once('message', (result: LoadResult) => {
        this.#child.off('exit', onExit);
        resolve(result);
      });
    });
  }
}
