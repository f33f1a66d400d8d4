// Pieces that nobody releases, for example behind a Fetch handler or a compressor, are left to the garbage collector.
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ChunkMemory } from '../../../src/postgres/stream/chunk-memory.ts';

const PIECES = 1000;

test('B26 chunks whose pieces are never released are collected before the end of the response', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const memory = new ChunkMemory();
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < PIECES; count += 1) memory.retain(memory.renew().subarray());
  // Collected memory is returned with a delay.
  for (let round = 0; round < 5; round += 1) {
    collect();
    await setImmediate();
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
  expect(memory.renew().length).toBeGreaterThan(0);
});
