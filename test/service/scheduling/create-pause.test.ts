import { expect, test } from 'vitest';
import { createPause } from '../../../src/service/scheduling/waiting.ts';

test('a pause yields to others only after a minimum of work', async () => {
  let [now, hadTurn] = [0, false];
  setImmediate(() => (hadTurn = true));
  const pause = createPause(() => now);
  await pause();
  expect(hadTurn).toBe(false);
  now += 5;
  await pause();
  expect(hadTurn).toBe(true);
});

test('one of several long computations continues per turn, in order', async () => {
  let [now, turn] = [0, 0];
  const pause = createPause(() => now);
  const steps: string[] = [];
  const compute = async (name: string): Promise<void> => {
    for (let step = 0; step < 2; step += 1) {
      now += 5;
      await pause();
      steps.push(`${name} ${turn}`);
    }
  };
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([compute('a'), compute('b'), compute('c')]);
  isOver = true;
  expect(steps).toEqual(['a 1', 'b 2', 'c 3', 'a 4', 'b 5', 'c 6']);
});
