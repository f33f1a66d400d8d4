// Faults of the server process: its clock jumps, it runs out of files, its database moves, reloads flood in, the schema
// changes, and it is stopped with hundreds of requests in flight.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { bearer, SECRET } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { LedgerLoad } from './ledger-load.ts';
import { LONGEST_RECOVERY, noteRecovery } from './recovery-times.ts';
import type { StageOptions } from './testbed.ts';
import { useTestbed } from './use-testbed.ts';
import { isLong } from '../support/long-form.ts';
import { useFolder } from '../support/use.ts';

const testbed = await useTestbed();

const folder = useFolder();

/** Restarts the server over the same database with other options. */
async function restartWith(options: StageOptions): Promise<void> {
  await testbed.server.stop();
  await testbed.startServer(options);
}

function preload(name: string): string {
  return `--require=${fileURLToPath(new URL(name, import.meta.url))}`;
}

describe('with a modified environment', () => {
  afterEach(() => restartWith({}));

  test('O165 the clock jumps: only tokens are affected', async () => {
    const file = path.join(folder, 'clock');
    writeFileSync(file, '0');
    const environment = { NODE_OPTIONS: preload('clock.cjs'), TEST_CLOCK_FILE: file };
    await restartWith({
      server: { 'jwt-secret': SECRET, 'db-pool-acquisition-timeout': 5 },
      surroundings: { environment },
    });
    const now = Math.floor(Date.now() / 1000);
    const headers = bearer({ role: 'anon', exp: now + 3600 });
    const ask = async (): Promise<number> => (await testbed.ask('/ledger?limit=1', { headers })).status;
    expect(await ask()).toBe(200);
    const load = new LedgerLoad(testbed);
    await load.writes(20);
    writeFileSync(file, String(7200 * 1000));
    await until(async () => (await ask()) === 401);
    await load.writes(20);
    writeFileSync(file, String(-7200 * 1000));
    await until(async () => (await ask()) === 200);
    await load.writes(20);
    expect(await load.audit()).toEqual([]);
    expect(Object.keys(load.counts)).toEqual(['201']);
    expect(await testbed.isReady()).toBe(true);
    await testbed.becomesWhole();
  });

  test.runIf(process.platform === 'linux')(
    'the server runs out of file descriptors, and recovers when some are free',
    async () => {
      await restartWith({ surroundings: { wrapper: ['prlimit', '--nofile=400'] } });
      const clients = Array.from({ length: 600 }, () =>
        testbed.ask('/rpc/nap_reading?seconds=0.2').catch(() => undefined),
      );
      await until(() => /EMFILE|too many open files/iu.test(testbed.server.output().stderr) || undefined, {
        seconds: 5,
      }).catch(() => 'the kernel queues the connections');
      await Promise.all(clients);
      const time = await testbed.recovery(async () => {});
      noteRecovery('out of file descriptors', time);
      expect(time).toBeLessThan(LONGEST_RECOVERY);
      await testbed.becomesWhole();
    },
  );

  test('O174 the host name of the database resolves to another address', async () => {
    const file = path.join(folder, 'hosts');
    writeFileSync(file, '127.0.0.1');
    const environment = { NODE_OPTIONS: preload('hosts.cjs'), TEST_HOSTS_FILE: file };
    const uri = `postgresql://gate@database.test:${testbed.proxy.port}/postgres`;
    await restartWith({ server: { 'db-uri': uri }, surroundings: { environment } });
    const load = new LedgerLoad(testbed);
    await load.writes(20);
    const met = load.meets(/^503/u);
    writeFileSync(file, '127.0.0.9');
    testbed.proxy.cut();
    await met;
    const moved = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(testbed.databaseUri).port) });
    await moved.close();
    const time = await testbed.recovery(async () => writeFileSync(file, '127.0.0.1'));
    noteRecovery('host name changed', time);
    expect(time).toBeLessThan(LONGEST_RECOVERY);
    expect(await load.audit()).toEqual([]);
    await testbed.becomesWhole();
  });
});

test('O159 a hundred notifications per second load the schema cache a few times and delay nobody', async () => {
  const load = new LedgerLoad(testbed);
  await load.writes(20);
  const loads = (): number => (testbed.server.output().stderr.match(/Schema cache loaded in/gu) ?? []).length;
  const before = loads();
  const rounds = isLong ? 1000 : 100;
  for (let round = 0; round < rounds; round += 1) await testbed.sql(`notify svc, 'reload schema'`);
  await testbed.sql('create table api.rain (id int); grant select on api.rain to anon');
  await testbed.sql(`notify svc, 'reload schema'`);
  await until(async () => (await testbed.ask('/rain')).status === 200);
  expect(loads() - before).toBeLessThan(rounds / 2);
  await testbed.sql('drop table api.rain');
  expect(await load.audit()).toEqual([]);
  expect(Object.keys(load.counts)).toEqual(['201']);
  await testbed.becomesWhole();
});

/**
 * Schema changes, each applied and undone under load: every response must fit the schema before or after the change.
 */
const CHANGES: readonly (readonly [done: string, undone: string])[] = [
  ['alter table api.shape add more text', 'alter table api.shape drop more'],
  ['alter table api.shape rename label to title', 'alter table api.shape rename title to label'],
  ['alter table api.shape alter label type varchar', 'alter table api.shape alter label type text'],
  ['alter table api.shape drop n, add n text', 'alter table api.shape drop n, add n int'],
  [`alter table api.shape alter label set default 'x'`, 'alter table api.shape alter label drop default'],
  ['alter table api.shape add constraint positive check (id > 0)', 'alter table api.shape drop constraint positive'],
  ['create index shape_label on api.shape (label)', 'drop index api.shape_label'],
  [remakeKind(`'a', 'b', 'd'`), remakeKind(`'a', 'b'`)],
  [`alter type api.kind add value if not exists 'c'`, remakeKind(`'a', 'b'`)],
  ['drop table api.shape', renderShape()],
  [replaceView('where id > 0'), replaceView('')],
  ['drop view api.panel_view', `${replaceView('')}; grant select on api.panel_view to anon`],
  [replaceCount('bigint', 'count(*) + 0'), replaceCount('bigint', 'count(*)')],
  [
    `drop function api.shape_count; ${replaceCount('text', 'count(*)::text')}`,
    `drop function api.shape_count; ${replaceCount('bigint', 'count(*)')}`,
  ],
  ['revoke select on api.shape from anon', 'grant select on api.shape to anon'],
  ['alter table api.shape enable row level security', 'alter table api.shape disable row level security'],
  ['alter schema api rename to other', 'alter schema other rename to api'],
];

function renderShape(): string {
  return `
    create table api.shape (id int primary key, label text, n int, kind api.kind);
    insert into api.shape select g, 'x', g, 'a' from generate_series(1, 5) g;
    grant select on api.shape to anon`;
}

function replaceView(condition: string): string {
  return `create or replace view api.panel_view as select id, label from api.panel ${condition}`;
}

function replaceCount(type: string, expression: string): string {
  return `create or replace function api.shape_count() returns ${type} language plpgsql stable as
    $$ begin return (select ${expression} from api.shape); end $$`;
}

function remakeKind(values: string): string {
  return `
    alter table api.shape alter kind type text;
    drop type api.kind;
    create type api.kind as enum (${values});
    alter table api.shape alter kind type api.kind using kind::api.kind`;
}

const SHAPE_URLS = [
  '/shape?select=id,label&order=id',
  '/shape?kind=eq.a&select=id',
  '/shape?kind=in.(a,b)&select=id',
  '/shape?n=gte.1&select=*',
  '/panel_view?id=gte.1',
  '/rpc/shape_count',
];

/** Missing, not yet known, forbidden, or of another type: never a server error. */
const OF_BEFORE_OR_AFTER =
  /^(?:200|40\d (?:42P01|42703|42501|42809|42883|42804|42846|22P02|22023|3F000|2BP01|SVC\d+))$/u;

/** Clients that read all shapes in a loop until stopped. */
class ShapeReaders {
  readonly outcomes: Map<string, number> = new Map();
  readonly #readers: Promise<unknown>;
  #isOver = false;

  constructor() {
    this.#readers = Promise.all(Array.from({ length: 4 }, (_, reader) => this.#run(reader)));
  }

  get count(): number {
    return [...this.outcomes.values()].reduce((sum, count) => sum + count, 0);
  }

  stop(): Promise<unknown> {
    this.#isOver = true;
    return this.#readers;
  }

  async #run(reader: number): Promise<void> {
    for (let turn = reader; !this.#isOver; turn += 1) {
      const url = SHAPE_URLS[turn % SHAPE_URLS.length] ?? '';
      const { status, text } = await testbed.ask(url);
      const code = status < 400 ? '' : ` ${(JSON.parse(text) as { code: string }).code}`;
      this.outcomes.set(`${status}${code}`, (this.outcomes.get(`${status}${code}`) ?? 0) + 1);
    }
  }
}

test('the schema changes in seventeen ways under load, with and without a reload, and every response fits the schema before or after', async () => {
  await testbed.sql(`
    create type api.kind as enum ('a', 'b');
    ${renderShape()};
    create table api.panel (id int primary key, label text);
    ${replaceView('')};
    grant select on api.panel_view to anon;
    ${replaceCount('bigint', 'count(*)')};
    notify svc, 'reload schema'`);
  for (const url of SHAPE_URLS) await until(async () => (await testbed.ask(url)).status === 200);
  const readers = new ShapeReaders();
  try {
    for (let round = 0; round < (isLong ? 10 : 2); round += 1)
      for (const sql of CHANGES.flat()) {
        await testbed.sql(sql);
        if (round % 2 === 0) await testbed.sql(`notify svc, 'reload schema'`);
        const before = readers.count;
        await until(() => readers.count > before + 12);
      }
  } finally {
    await readers.stop();
  }
  expect([...readers.outcomes.keys()].filter((outcome) => !OF_BEFORE_OR_AFTER.test(outcome))).toEqual([]);
  await testbed.sql(`notify svc, 'reload schema'`);
  for (const url of SHAPE_URLS) await until(async () => (await testbed.ask(url)).status === 200);
  await testbed.becomesWhole();
});

/** Closing a port may reset a connection that is being established, but never one with a request. */
const NOT_BEGUN = new Set(['ECONNREFUSED', 'ECONNRESET on a new connection']);

/** On a busy machine, the last of five hundred requests may time out waiting for a session. */
const ANSWERS = new Set(['201', '504 SVC003']);

test('SIGTERM with five hundred requests in flight: each is answered or was never begun', async () => {
  const load = new LedgerLoad(testbed, { clients: 500 });
  await load.writes(500);
  const start = performance.now();
  const code = await testbed.server.stop();
  const time = performance.now() - start;
  noteRecovery('SIGTERM with 500 in flight', time);
  expect(code).toBe(0);
  expect(await load.audit()).toEqual([]);
  expect(Object.keys(load.counts).filter((outcome) => !NOT_BEGUN.has(outcome) && !ANSWERS.has(outcome))).toEqual([]);
  await testbed.startServer();
});
