// Sends questions at a steady rate, regardless of pending ones, like many independent clients.
import { setTimeout } from 'node:timers/promises';
import type { Numbered } from './overload-testbed.ts';
import { AnswerTally } from './tally.ts';
import type { WireClient } from './wire-client.ts';

export interface OpenLoad {
  /** Each client sends one question at a time. */
  readonly clients: readonly WireClient[];
  readonly question: (index: number) => Numbered;
  /** Questions per second. */
  readonly rate: number;
  readonly count: number;
}

export interface OpenLoadResult {
  readonly tally: AnswerTally;
  /** Questions per second actually sent: fewer if this process is too slow or all clients wait. */
  readonly rate: number;
}

export async function runOpenLoad({ clients, question, rate, count }: OpenLoad): Promise<OpenLoadResult> {
  const tally = new AnswerTally();
  const idle = [...clients];
  const answers: Promise<void>[] = [];
  const ask = async (client: WireClient, index: number): Promise<void> => {
    const { target, body } = question(index);
    const start = performance.now();
    tally.add(await client.ask(target), body, performance.now() - start);
    idle.push(client);
  };
  const begin = performance.now();
  while (answers.length < count) {
    const due = Math.min(count, (rate * (performance.now() - begin)) / 1000);
    for (let client = idle.pop(); client !== undefined; client = idle.pop()) {
      if (answers.length >= due) {
        idle.push(client);
        break;
      }
      answers.push(ask(client, answers.length));
    }
    await setTimeout(1);
  }
  const seconds = (performance.now() - begin) / 1000;
  await Promise.all(answers);
  return { tally, rate: count / seconds };
}

/** @returns responses per second to a few clients that each send the next question after a response */
export async function measureCapacity(
  clients: readonly WireClient[],
  { question, count }: Pick<OpenLoad, 'question' | 'count'>,
): Promise<number> {
  let next = 0;
  const begin = performance.now();
  const run = async (client: WireClient): Promise<void> => {
    while (next < count) await client.ask(question(next++).target);
  };
  await Promise.all(clients.map(run));
  return (count * 1000) / (performance.now() - begin);
}
