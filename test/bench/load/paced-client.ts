// The process of `paced-load.ts`: a few clients that each send a request, wait for the response and pause, until a
// message requests the result. Usage: paced-client.js PORT PATH…
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { discardBody } from './discard-body.ts';
import type { Latencies } from './paced-load.ts';

const CLIENTS = 4;
/** Pause between a response and the next request, in milliseconds. */
const REST = 5;
/** First responses of each client, excluded because the process is still compiling its code. */
const WARM_UP = 20;

const [port, ...paths] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
const latencies: number[] = [];
const end = new AbortController();

const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => ask(client)));
await Promise.race([once(process, 'message'), clients]);
end.abort();
await clients;
agent.destroy();
process.send?.(summarize(latencies));
process.disconnect();

async function ask(first: number): Promise<void> {
  for (let next = 0; !end.signal.aborted; next += 1) {
    const start = performance.now();
    await discardBody({ agent, host: '127.0.0.1', port, path: paths[(first + next) % paths.length] });
    if (next >= WARM_UP) latencies.push(performance.now() - start);
    await setTimeout(REST);
  }
}

function summarize(all: readonly number[]): Latencies {
  const sorted = all.toSorted((left, right) => left - right);
  const quantile = (part: number): number => sorted[Math.floor(part * sorted.length)] ?? NaN;
  return { count: sorted.length, p50: quantile(0.5), p99: quantile(0.99), longest: sorted.at(-1) ?? NaN };
}
