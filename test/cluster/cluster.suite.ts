// Servers, processes and lines fail while clients write and read: what they are told is held against the table afterwards.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstWriteAfter, type Note, tally } from './notes.ts';
import { Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
}, 300_000);
afterAll(async () => {
  await stage?.close();
});

test('the leader is killed', async () => {
  await stage.load.writes(200);
  const start = performance.now();
  const former = stage.leader;
  const { promotions } = stage.watch;
  const before = promotions.length;
  await former.kill();
  await expect.poll(() => promotions.length, { timeout: 60_000 }).toBe(before + 1);
  const { at } = promotions[before]!;
  await stage.load.writes(50);
  former.revive();
  await stage.becomesWhole();
  await stage.load.writes(50);
  const end = performance.now();
  console.log(at - start, firstWriteAfter(stage.load.notes, at) - at, tally(stage.load.notes as Note[], { start, end }, await stage.stored()));
});
