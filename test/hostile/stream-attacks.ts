// Attacks on streams and waiting, as data: what clients send and do, and what must hold meanwhile. The test checks what
// must hold after every attack (a whole pool, all streaming slots free).
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Conversation } from '../endings/conversation.ts';
import { BAD_ROW } from '../endings/fixture.ts';
import type { Scene } from '../endings/scene.ts';
import { until } from '../support/until.ts';
import { COUNTED_ROWS, NAMED_CASTS, REPEATED_WRITES } from './honesty-attacks.ts';
import {
  ARRAY,
  ask,
  expectBroken,
  FOUR_AT_ONCE,
  get,
  LONE_WORKERS,
  MOUNTED,
  NDJSON,
  UNHURRIED_ONE,
  UNHURRIED_TEN,
  type StreamAttack,
  TEN,
} from './stream-attack.ts';

/** Runs `work` while clients have sent a request and read nothing; they disconnect afterwards. */
async function besideDeaf(clients: readonly Conversation[], work: () => Promise<void>): Promise<void> {
  try {
    for (const client of clients) client.pause();
    await work();
  } finally {
    for (const client of clients) client.leave('reset');
  }
}

async function serveOthers(scene: Scene, times = 10): Promise<void> {
  for (let index = 0; index < times; index += 1) await scene.servesOthers();
}

function repeat<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** The pattern fails for a single row, so the attacker chooses how many lines precede the error. */
const PATTERN: readonly StreamAttack[] = [TEN, LONE_WORKERS].map((stage) => ({
  name: `a pattern that fails for a chosen row, ${stage.name}`,
  stage,
  run: async (scene, isLong) => {
    const places = repeat(isLong ? 400 : 80, (index) => 325 + (index % 20));
    for (const place of places) {
      const client = ask(scene, get(`/pattern?v=not.like.v${place}%5C&order=id`, NDJSON));
      expectBroken(await client.finish(), `v${place}`);
    }
  },
}));

const WAITING: readonly StreamAttack[] = [
  {
    name: '105 uploads that stop after six bytes',
    stage: UNHURRIED_TEN,
    run: async (scene) => {
      const headers = { 'Content-Type': NDJSON, 'Content-Length': '2000000' };
      const uploads = repeat(105, () => ask(scene, { method: 'POST', target: '/closed', headers }));
      for (const upload of uploads) upload.send('{"id":');
      await besideDeaf(uploads, async () => {
        await serveOthers(scene);
        await setTimeout(200);
        await serveOthers(scene);
      });
    },
  },
  {
    name: '120 streams, most of them queued',
    stage: UNHURRIED_TEN,
    run: async (scene) => {
      await besideDeaf(
        repeat(120, () => ask(scene, get('/wide?order=id', NDJSON))),
        async () => {
          await scene.untilSessions(`wait_event = 'ClientWrite'`, scene.permits);
          await serveOthers(scene);
          await setTimeout(200);
          await serveOthers(scene);
        },
      );
    },
  },
  ...[NDJSON, ARRAY, 'text/csv'].map((accept): StreamAttack => ({
    name: `a deaf reader of ${accept} with one connection`,
    stage: UNHURRIED_ONE,
    run: (scene) => besideDeaf([ask(scene, get('/wide?id=lte.600&order=id', accept))], () => serveOthers(scene)),
  })),
];

/** Maximum memory growth during the attack in megabytes. */
const MAX_HELD = { old: 120, slow: 400 };

async function expectHeld(scene: Scene, most: number, work: () => Promise<void>): Promise<void> {
  const before = await scene.host.memory();
  await work();
  const held = (await scene.host.memory()) - before;
  assert.ok(held < most, `${Math.round(held)} MB are held`);
}

const MEMORY: readonly StreamAttack[] = [
  ...[NDJSON, ARRAY, 'text/csv'].map((accept): StreamAttack => ({
    name: `deaf readers of ${accept} over HTTP/1.0`,
    stage: UNHURRIED_TEN,
    run: (scene) =>
      expectHeld(scene, MAX_HELD.old, () =>
        besideDeaf(
          repeat(5, () => ask(scene, get('/wide?order=id', accept), { version: '1.0' })),
          async () => {
            // Buffered data grows until the database blocks, or has sent everything.
            for (let round = 0; round < 10; round += 1) {
              await serveOthers(scene, 1);
              await setTimeout(150);
            }
          },
        ),
      ),
  })),
  {
    name: 'fifty readers of 20 MB each that read almost nothing',
    stage: { ...TEN, options: { 'server-send-timeout': 3 } },
    run: async (scene) => {
      const readers = repeat(50, () => ask(scene, get('/wide?id=lte.600&order=id', ARRAY)));
      try {
        for (const reader of readers) reader.trickle();
        await expectHeld(scene, MAX_HELD.slow, () => setTimeout(3000));
        await until(async () => (await scene.sessions(`state <> 'idle'`)) === 0, { why: () => 'no statement' });
        await serveOthers(scene);
      } finally {
        for (const reader of readers) reader.leave('reset');
      }
    },
  },
];

const FRAMES: readonly StreamAttack[] = (['1.0', '1.1'] as const).map((version) => ({
  name: `a function that sets the header Trailer, over HTTP/${version}`,
  stage: TEN,
  run: async (scene) => {
    for (let round = 0; round < 12; round += 1) {
      const target = '/rpc/items_with?low=1&high=5000&header=Trailer';
      const answers = await ask(scene, get(target, NDJSON), { version }).finish();
      assert.deepEqual(
        answers.map(({ status, ending }) => [status, ending]),
        [[200, 'whole']],
      );
    }
  },
}));

const PIPELINED: readonly StreamAttack[] = [FOUR_AT_ONCE, MOUNTED].map((stage) => ({
  name: `pairs of pipelined streams, ${stage.name}`,
  stage,
  run: async (scene, isLong) => {
    const target = '/wide?id=lte.100&order=id';
    for (let round = 0; round < (isLong ? 10 : 2); round += 1) {
      const pairs = repeat(8, () => ask(scene, get(target, NDJSON), { count: 2 }));
      const answers = await Promise.all(pairs.map((pair) => pair.finish()));
      const wrong = answers.flat().filter(({ status, ending }) => status !== 200 || ending !== 'whole');
      assert.deepEqual([answers.flat().length, wrong.length], [16, 0]);
    }
  },
}));

const NEITHER: readonly StreamAttack[] = [
  {
    name: 'lines that fail just after the first 64 kB',
    stage: TEN,
    run: async (scene) => {
      for (let round = 0; round < 10; round += 1) {
        const firsts = repeat(8, (index) => BAD_ROW - 342 - 8 * round - index);
        const clients = firsts.map((first) =>
          ask(scene, get(`/item?id=gte.${first}&id=lte.${BAD_ROW + 9}&order=id`, NDJSON)),
        );
        const answers = await Promise.all(clients.map((client) => client.finish()));
        for (const [index, found] of answers.entries()) expectBroken(found, `the lines from ${firsts[index]} on`);
      }
    },
  },
];

export const STREAM_ATTACKS: readonly StreamAttack[] = [
  ...PATTERN,
  ...WAITING,
  ...MEMORY,
  ...FRAMES,
  ...PIPELINED,
  ...NEITHER,
  ...REPEATED_WRITES,
  ...COUNTED_ROWS,
  ...NAMED_CASTS,
];
