// PostgreSQL restarts and sessions end under load: which errors clients see, and that nothing is left behind.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { renderEmbeddedError } from '../../../tools/embedded/cluster/embedded-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { runSql } from '../../support/database.ts';
import { findFreePort, type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { renderFixture } from '../../support/harbor.ts';
import { type Answer, post, sendRequest } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const FOLDER = path.join(os.tmpdir(), `rowhouse-restart-${randomBytes(6).toString('hex')}`);
const POOL = 4;
const CLIENTS = 8;
/** Error codes that a request may get while the database goes down and comes back. */
const LOSS = /^(?:SVC000|SVC001|57P01)$/u;

let postgres: EmbeddedPostgres | undefined;
let server: ServerProcess;

async function startDatabase(): Promise<string> {
  const started = await startEmbeddedPostgres({ dataFolder: FOLDER, port });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  postgres = started.value;
  return postgres.uri;
}

async function stopDatabase(): Promise<void> {
  await postgres?.stop();
  postgres = undefined;
}

function ask(target: string): Promise<Answer> {
  return sendRequest({ host: '127.0.0.1', port: server.port, path: target });
}

/** Clients that read and write, one request after another; all responses are recorded. */
class Load {
  readonly answers: Answer[] = [];
  readonly #clients: readonly Promise<void>[];
  #isOver = false;

  constructor() {
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#run(client));
  }

  async #run(client: number): Promise<void> {
    const place = { host: '127.0.0.1', port: server.port };
    while (!this.#isOver) {
      const answer =
        client % 2 === 0
          ? sendRequest({ ...place, path: '/berth?select=id&id=eq.1' })
          : sendRequest({ ...place, path: '/rpc/nap' }, post({ seconds: 0.002 }));
      this.answers.push(await answer);
      await setTimeout(2);
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  /** Returns the responses since the previous call. */
  take(): readonly Answer[] {
    return this.answers.splice(0);
  }

  /** Resolves once `count` more requests were answered with 200. */
  async serves(count: number): Promise<void> {
    await until(() => this.answers.filter(({ status }) => status === 200).length >= count, {
      seconds: 20,
      why: () => `${count} answers of status 200, but ${JSON.stringify(this.answers.at(-1))}`,
    });
  }
}

async function readGauges(): Promise<Readonly<Record<string, number>>> {
  const { text } = await sendRequest({ host: '127.0.0.1', port: server.adminPort, path: '/metrics' });
  const lines = [...text.matchAll(/^svc_db_pool_(\w+) (\S+)$/gmu)];
  return Object.fromEntries(lines.map(([, name = '', value]) => [name, Number(value)]));
}

/** Returns the process ids of the service's sessions that match a condition. */
async function readSessions(condition: string): Promise<readonly number[]> {
  const sql = `select pid from pg_stat_activity where usename = 'gate' and ${condition}`;
  const read = await withConnection(postgres?.uri ?? '', (client) => client.query<{ pid: number }>(sql));
  return read.rows.map(({ pid }) => pid);
}

async function isReady(): Promise<boolean> {
  return (await sendRequest({ host: '127.0.0.1', port: server.adminPort, path: '/ready' })).status === 200;
}

function expectLosses(answers: readonly Answer[]): void {
  for (const { status, text, headers } of answers) {
    expect(status).toBe(503);
    expect(headers['retry-after']).toMatch(/^\d+$/u);
    expect((JSON.parse(text) as { code: string }).code).toMatch(LOSS);
  }
}

async function expectNothingLeft(): Promise<void> {
  // A schema cache load closes idle connections and may happen late.
  await until(async () => {
    await Promise.all(Array.from({ length: POOL }, () => ask('/rpc/nap_reading?seconds=0.1')));
    return (await readGauges())['available'] === POOL;
  });
  expect(await readGauges()).toMatchObject({ available: POOL, waiting: 0, max: POOL, timeouts_total: 0 });
  expect(await readSessions("query !~* '^listen'")).toHaveLength(POOL);
  expect(await readSessions(`state <> 'idle'`)).toEqual([]);
}

const port = await findFreePort();
await runSql(await startDatabase(), renderFixture({ login: 'gate', anon: 'anon', user: 'member' }));

beforeEach(async () => {
  server = await use(
    startServerProcess({
      'db-uri': `postgresql://gate@127.0.0.1:${port}/postgres`,
      'db-schemas': 'api',
      'db-anon-role': 'anon',
      'db-pool': POOL,
    }),
  );
});

afterAll(async () => {
  await stopDatabase();
  rmSync(FOLDER, { recursive: true, force: true });
});

test.each([
  ['a short time', 0],
  // Long enough for the pauses between reconnection attempts to grow.
  ['some seconds', 5000],
])('O174 the database is down for %s under load: 503 meanwhile, 200 right after', async (_, pause) => {
  const load = new Load();
  await load.serves(100);
  expect(load.take().every(({ status }) => status === 200)).toBe(true);
  await stopDatabase();
  await until(() => load.answers.some(({ status }) => status === 503));
  load.take();
  await setTimeout(pause);
  await until(() => load.answers.length > 20);
  expectLosses(load.take());
  await startDatabase();
  await load.serves(100);
  // While PostgreSQL was starting, some requests were still refused.
  expectLosses(load.take().filter(({ status }) => status !== 200));
  await until(isReady, { seconds: 20 });
  await load.serves(100);
  expect(load.take().every(({ status }) => status === 200)).toBe(true);
  await load.stop();
  await expectNothingLeft();
  expect(await server.stop()).toBe(0);
});

test('O175 terminating the session of a running request fails only that request', async () => {
  const load = new Load();
  await load.serves(100);
  const victim = ask('/rpc/nap_reading?seconds=20');
  const [pid] = await until(async () => {
    const found = await readSessions(`state = 'active' and query ~ 'nap_reading'`);
    return found.length === 1 && found;
  });
  load.take();
  await runSql(postgres?.uri ?? '', `select pg_terminate_backend(${pid})`);
  expectLosses([await victim]);
  await load.serves(200);
  await load.stop();
  expect(load.take().filter(({ status }) => status !== 200)).toEqual([]);
  expect((await ask('/berth?limit=0')).status).toBe(200);
  await expectNothingLeft();
  expect(await server.stop()).toBe(0);
});
