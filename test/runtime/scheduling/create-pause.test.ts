import { expect, test } from 'vitest';
import { createPause } from '../../../src/runtime/scheduling/create-pause.ts';

test('a pause lets others have their turn only after a share of work', async () => {
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  const pause = createPause();
  await pause();
  expect(hadTurn).toBe(false);
  const end = performance.now() + 5;
  while (performance.now() < end);
  await pause();
  expect(hadTurn).toBe(true);
});
