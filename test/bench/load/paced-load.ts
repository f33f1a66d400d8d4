// Runs a modest closed loop and measures latencies until stopped. Uses a separate process, so that the work of the
// caller does not count as server time.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Latencies {
  readonly count: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

export interface PacedLoad {
  /** Throws if any response was not as expected. */
  stop(): Promise<Latencies>;
}

/** @param paths paths that answer with 200 */
export function startPacedLoad(port: number, paths: readonly string[]): PacedLoad {
  const child = fork(fileURLToPath(new URL('paced-client.js', import.meta.url)), [String(port), ...paths]);
  const result = once(child, 'message') as Promise<[Latencies]>;
  const exit = once(child, 'exit');
  return {
    async stop() {
      if (child.connected) child.send('stop');
      const latencies = await Promise.race([result, exit.then(() => undefined)]);
      if (latencies === undefined) throw new Error('the paced load ended without a result');
      await exit;
      return latencies[0];
    },
  };
}
