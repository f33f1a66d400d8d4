// A modest closed loop: a few clients that ask in turn, each waits for its answer and rests a while → how long the answers
// took, until told to stop.
import { Agent, request, type RequestOptions } from 'node:http';
import { setTimeout } from 'node:timers/promises';

export interface Latencies {
  readonly count: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

export interface PacedLoad {
  /** Throws when any answer was not as expected. */
  stop(): Promise<Latencies>;
}

const CLIENTS = 4;
/** Milliseconds between an answer and the next question. */
const REST = 5;

/** @param paths all of which answer 200 */
export function startPacedLoad(port: number, paths: readonly string[]): PacedLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const latencies: number[] = [];
  const end = new AbortController();
  const runClient = async (first: number): Promise<void> => {
    for (let next = first; !end.signal.aborted; next += 1) {
      const start = performance.now();
      await discardBody({ agent, host: '127.0.0.1', port, path: paths[next % paths.length] });
      latencies.push(performance.now() - start);
      await setTimeout(REST);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
  return {
    async stop() {
      end.abort();
      await clients;
      agent.destroy();
      return summarize(latencies);
    },
  };
}

/** Length of the body, which is not kept. Throws unless the status is 200. */
export function discardBody(options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => (length += chunk.length));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(length);
        else reject(new Error(`${options.path} was answered by ${response.statusCode}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function summarize(latencies: readonly number[]): Latencies {
  const sorted = latencies.toSorted((left, right) => left - right);
  const quantile = (part: number): number => sorted[Math.floor(part * sorted.length)] ?? NaN;
  return { count: sorted.length, p50: quantile(0.5), p99: quantile(0.99), longest: sorted.at(-1) ?? NaN };
}
