// Sends attacks, several at a time, and collects the problems.
import { type Attack, check } from './check-attack.ts';
import type { Target } from './fixture.ts';

interface Timed {
  readonly time: number;
  readonly name: string;
}

export interface Outcome {
  readonly byStatus: ReadonlyMap<number, number>;
  /** Times in milliseconds, the longest first. */
  readonly slowest: readonly Timed[];
  readonly problems: readonly string[];
}

const LISTED = 5;

export async function throwAttacks(target: Target, attacks: Iterable<Attack>, atATime = 4): Promise<Outcome> {
  const rest = attacks[Symbol.iterator]();
  const byStatus = new Map<number, number>();
  const problems: string[] = [];
  const times: Timed[] = [];
  const work = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      const attack = next.value;
      const start = performance.now();
      const answer = await target.send(attack.question).catch((error: unknown) => String(error));
      const time = performance.now() - start;
      times.push({ time, name: attack.name });
      const problem = typeof answer === 'string' ? answer : check(attack, answer, time);
      if (typeof answer !== 'string') byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1);
      if (problem !== undefined) problems.push(`${attack.name}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  const slowest = times.sort((a, b) => b.time - a.time).slice(0, LISTED);
  return { byStatus: new Map([...byStatus].sort(([a], [b]) => a - b)), slowest, problems };
}
