// Requests × time → what the load generator saw of the server that answered them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LoadOrder {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly connections: number;
  /** Sent in turn. */
  readonly requests: readonly string[];
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

/** Milliseconds after its time by which a generator that does not end is given up. */
const PATIENCE = 20_000;

export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('load-generator.js', import.meta.url)));
  const timer = setTimeout(() => child.kill('SIGKILL'), order.milliseconds + PATIENCE);
  const exit = once(child, 'exit');
  const results: LoadResult[] = [];
  child.on('message', (result: LoadResult) => results.push(result));
  child.send(order);
  await exit;
  clearTimeout(timer);
  const [result] = results;
  if (result === undefined) throw new Error('the load generator ended without a result');
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.count} answers were not as expected`);
  return result;
}
