// Requests × time → what the load generator saw of the server that answered them.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface LoadOrder {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly connections: number;
  /** Sent in turn. */
  readonly requests: readonly string[];
  /** In place of each hundredth of them; its time is not counted. */
  readonly slowRequest?: string | undefined;
  /** That every answer must have. */
  readonly status: number;
  readonly milliseconds: number;
}

export interface LoadResult {
  readonly count: number;
  readonly failures: number;
  readonly milliseconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** What sends requests. */
export interface Load {
  run(order: LoadOrder): Promise<LoadResult>;
  stop(): void;
}

/** Then a generator that has not ended by itself is stopped. */
const EXIT_TIMEOUT_MS = 20_000;

/** One process for all orders: a new one would spend the first part of each measurement on compiling itself. */
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
    if (failures > 0) throw new Error(`${failures} of ${count} answers were not as expected`);
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
