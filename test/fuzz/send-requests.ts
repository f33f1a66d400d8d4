// Sends random requests over kept-alive connections and checks each response.
import { Agent } from 'node:http';
import { Random } from '../support/generate/random.ts';
import { ask, type Answer, type Question } from '../support/http-client.ts';

export interface FuzzRun {
  readonly port: number;
  readonly make: (random: Random) => Question;
  /** @returns what is wrong with the response, if anything */
  readonly check: (question: Question, answer: Answer) => string | undefined;
  readonly seed: number;
  readonly count: number;
  readonly connections: number;
  /** Time limit for each response in milliseconds. */
  readonly timeoutMs: number;
}

export interface FuzzReport {
  readonly byStatus: ReadonlyMap<number, number>;
  /** Time in milliseconds. */
  readonly slowest: { readonly time: number; readonly url: string };
  /** The first few problems, each with its seed. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

const MAX_SHOWN = 20;

export async function sendRequests(run: FuzzRun): Promise<FuzzReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: run.connections });
  const byStatus = new Map<number, number>();
  const problems: string[] = [];
  let slowest = { time: 0, url: '' };
  let problemCount = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < run.count) {
      const seed = run.seed + next;
      next += 1;
      const sent = run.make(new Random(seed));
      const start = performance.now();
      const answer = await ask(run.port, sent, agent).catch((error: unknown) => String(error));
      const time = performance.now() - start;
      if (time > slowest.time) slowest = { time, url: sent.url };
      if (typeof answer !== 'string') byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1);
      const found = typeof answer === 'string' ? answer : (run.check(sent, answer) ?? checkTime(time, run.timeoutMs));
      if (found === undefined) continue;
      problemCount += 1;
      if (problems.length < MAX_SHOWN)
        problems.push(
          `${seed}: ${sent.method} ${sent.url} ${JSON.stringify(sent.headers)} ${showBody(sent)}→ ${found}`,
        );
    }
  };
  await Promise.all(Array.from({ length: run.connections }, work));
  agent.destroy();
  return { byStatus: new Map([...byStatus].sort(([a], [b]) => a - b)), slowest, problems, problemCount };
}

function checkTime(time: number, timeoutMs: number): string | undefined {
  return time > timeoutMs ? `${Math.round(time)} ms` : undefined;
}

function showBody({ body }: Question): string {
  return body === undefined ? '' : `${Buffer.from(body).toString().slice(0, 300)} `;
}

export function describeRun(run: FuzzRun, { byStatus, slowest, problemCount }: FuzzReport, time: number): string {
  return [
    `${run.count} requests from seed ${run.seed} in ${(time / 1000).toFixed(1)} s`,
    `answers by status: ${[...byStatus].map(([status, number]) => `${status}: ${number}`).join(', ')}`,
    `slowest answer: ${slowest.time.toFixed(0)} ms for ${slowest.url}`,
    `problems: ${problemCount}`,
  ].join('\n');
}
