// The pool against a real PostgreSQL: which request gets a connection when, and which connections survive.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import type { PoolEvent } from '../../../src/postgres/pool/session-supply.ts';
import { connect } from '../../../src/postgres/session/open-session.ts';
import { Pool, type PoolOptions } from '../../../src/postgres/pool/pool.ts';
import { query } from '../../../src/postgres/session/query.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { adminUri } from '../../support/database.ts';
import { bodyOf, connectOptions, openSession, rowsOf } from '../support/connect-test.ts';
import { mainStatement, readScript, writeScript } from '../support/scripts.ts';

const PID = readScript(mainStatement('pg_backend_pid()::text'));

const pools: Pool[] = [];

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function createPool(changes: Partial<PoolOptions> = {}): { pool: Pool; events: PoolEvent[]; lines: () => string[] } {
  const events: PoolEvent[] = [];
  const pool = new Pool({
    maxConnections: 1,
    acquisitionTimeoutMs: 5000,
    maxIdleTimeMs: 60_000,
    maxLifetimeMs: 60_000,
    connect: () => connect(connectOptions(adminUri())),
    onEvent: (event) => events.push(event),
    ...changes,
  });
  pools.push(pool);
  return { pool, events, lines: () => events.map(describeEvent) };
}

function describeEvent(event: PoolEvent): string {
  const subject = 'connection' in event ? ` ${event.connection}` : '';
  return `${event.kind}${subject}${'reason' in event ? `: ${event.reason}` : ''}`;
}

function sleeping(seconds: number): ReturnType<typeof readScript> {
  return readScript(mainStatement('pg_sleep($1::float)::text', [String(seconds)]));
}

/** Occupies a connection until it is released. */
function occupy(pool: Pool): { readonly busy: Promise<Result<string, unknown>>; readonly release: () => void } {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  return { busy: pool.use(() => released.then(() => ok('done'))), release };
}

async function kill(pid: string | undefined): Promise<void> {
  const other = await openSession(adminUri());
  await rowsOf(other, 'select pg_terminate_backend($1::int, 1000)', [String(pid)]);
  await other.close();
}

describe('acquisition', () => {
  test('connections are opened on demand and reused', async () => {
    const { pool, lines } = createPool({ maxConnections: 3 });
    expect(pool.statistics).toStrictEqual({
      open: 0,
      available: 0,
      waiting: 0,
      waitingForPermit: 0,
      max: 3,
      timeouts: 0,
    });
    const first = bodyOf(await pool.runScript(PID));
    expect(bodyOf(await pool.runScript(PID))).toBe(first);
    expect(pool.statistics).toStrictEqual({
      open: 1,
      available: 1,
      waiting: 0,
      waitingForPermit: 0,
      max: 3,
      timeouts: 0,
    });
    expect(lines()).toStrictEqual([
      'acquiring',
      'connecting 1',
      'available 1: connection establishment',
      'acquired',
      'used 1',
      'available 1: session success',
      'acquiring',
      'acquired',
      'used 1',
      'available 1: session success',
    ]);
  });

  test('O167 two connections run two requests in parallel, but not a third', async () => {
    const { pool } = createPool({ maxConnections: 2 });
    const begin = performance.now();
    const running = Array.from({ length: 4 }, () => pool.runScript(sleeping(0.3)));
    // The connections must be opened first, which may take time on a busy machine.
    await expect
      .poll(() => pool.statistics, { interval: 10 })
      .toStrictEqual({ open: 2, available: 0, waiting: 2, waitingForPermit: 0, max: 2, timeouts: 0 });
    for (const reply of await Promise.all(running)) expect(reply.ok).toBe(true);
    expect(performance.now() - begin).toBeGreaterThan(590);
    expect(pool.statistics).toStrictEqual({
      open: 2,
      available: 2,
      waiting: 0,
      waitingForPermit: 0,
      max: 2,
      timeouts: 0,
    });
  });

  test('waiting requests are served first come, first served', async () => {
    const { pool } = createPool();
    const order: number[] = [];
    const running = Array.from({ length: 5 }, (_, index) =>
      pool.use((session) => {
        order.push(index);
        return query(session, 'select pg_sleep(0.01)');
      }),
    );
    await Promise.all(running);
    expect(order).toStrictEqual([0, 1, 2, 3, 4]);
  });

  test('O168 a request that waits too long times out, the others get their turn', async () => {
    const { pool, lines } = createPool({ acquisitionTimeoutMs: 1000 });
    const long = pool.runScript(sleeping(1.3));
    await sleep(20);
    const begin = performance.now();
    expect(await pool.runScript(PID)).toStrictEqual({ ok: false, error: { kind: 'poolTimeout' } });
    expect(performance.now() - begin).toBeGreaterThan(990);
    expect(pool.statistics).toMatchObject({ waiting: 0, timeouts: 1 });
    const patient = pool.runScript(PID);
    expect((await long).ok).toBe(true);
    expect((await patient).ok).toBe(true);
    expect(lines()).toContain('timedOut');
  });

  test('each failure to open a connection fails one request', async () => {
    const opening = vi.fn(() => Promise.resolve(fail({ kind: 'cannotConnect', details: 'no way' } as const)));
    const { pool, lines } = createPool({ maxConnections: 2, connect: opening });
    const replies = await Promise.all(Array.from({ length: 3 }, () => pool.runScript(PID)));
    expect(replies).toStrictEqual(
      Array.from({ length: 3 }, () => ({ ok: false, error: { kind: 'cannotConnect', details: 'no way' } })),
    );
    expect(opening).toHaveBeenCalledTimes(3);
    expect(lines().filter((line) => line.endsWith('init failure'))).toHaveLength(3);
    expect(pool.statistics).toMatchObject({ available: 0, waiting: 0 });
  });

  test('a connection opened after its request gave up waits for the next', async () => {
    const { pool } = createPool({
      acquisitionTimeoutMs: 50,
      connect: async () => {
        await sleep(150);
        return connect(connectOptions(adminUri()));
      },
    });
    expect(await pool.runScript(PID)).toStrictEqual({ ok: false, error: { kind: 'poolTimeout' } });
    await vi.waitFor(() => expect(pool.statistics.available).toBe(1));
    expect((await pool.runScript(PID)).ok).toBe(true);
  });
});

describe('requests of disconnected clients', () => {
  const gone = { ok: false, error: { kind: 'database', report: { sqlstate: '57014' } } };

  test('leave the queue immediately and are not sent', async () => {
    const { pool } = createPool();
    await pool.use((session) => query(session, 'create table if not exists departures (id int)'));
    const busy = pool.runScript(sleeping(0.3));
    const controllers = Array.from({ length: 100 }, () => new AbortController());
    const waiting = controllers.map(({ signal }, id) => pool.runScript(insertion(id, 'departures'), signal));
    const patient = pool.runScript(insertion(1000, 'departures'));
    expect(pool.statistics.waiting).toBe(101);
    for (const controller of controllers) controller.abort();
    expect(pool.statistics.waiting).toBe(1);
    for (const reply of await Promise.all(waiting)) expect(reply).toMatchObject(gone);
    expect((await busy).ok).toBe(true);
    expect(bodyOf(await patient)).toBe('1000');
    const stored = await pool.use((session) => query(session, 'select id from departures'));
    expect(stored).toStrictEqual({ ok: true, value: [['1000']] });
    expect(pool.statistics).toMatchObject({ available: 1, waiting: 0, timeouts: 0 });
    await pool.use((session) => query(session, 'drop table departures'));
  });

  test('do not wait if the client disconnects before', async () => {
    const { pool, lines } = createPool();
    expect(await pool.runScript(PID, AbortSignal.abort())).toMatchObject(gone);
    expect(lines()).toStrictEqual(['acquiring']);
  });

  test('stop listening to their signal, once, when they get a connection', async () => {
    const { pool } = createPool();
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const busy = pool.runScript(sleeping(0.05));
    expect((await pool.runScript(writeScript(mainStatement(`'x'`)), controller.signal)).ok).toBe(true);
    expect(removed).toHaveBeenCalledTimes(1);
    expect((await busy).ok).toBe(true);
  });
});

describe('a database that accepts fewer connections than the pool maximum', () => {
  /** Accepts `room` connections at once. */
  function createLimitedPool(room: number, changes: Partial<PoolOptions> = {}) {
    const state = { room, attempts: 0, open: 0 };
    const shortages: ApiError[] = [];
    const refusal = { kind: 'cannotConnect', details: 'FATAL:  sorry, too many clients already' } as const;
    const { pool } = createPool({
      maxConnections: 20,
      connectPauseMs: 50,
      connect: async () => {
        state.attempts += 1;
        if (state.open >= state.room) return fail(refusal);
        state.open += 1;
        return connect(connectOptions(adminUri()));
      },
      onShortage: (error) => shortages.push(error),
      ...changes,
    });
    return { pool, state, shortages, refusal };
  }

  test('serves all requests with the available connections and reports the shortage once', async () => {
    const { pool, state, shortages, refusal } = createLimitedPool(3);
    const replies = await Promise.all(Array.from({ length: 60 }, () => pool.runScript(sleeping(0.01))));
    expect(replies.filter((reply) => !reply.ok)).toStrictEqual([]);
    expect(shortages).toStrictEqual([refusal]);
    // A burst before the limit is known, then one attempt after each pause.
    expect(state.attempts).toBeLessThan(40);
    expect(pool.statistics).toMatchObject({ available: 3, waiting: 0 });
  });

  test('gets further connections when the database accepts them again', async () => {
    const { pool, state } = createLimitedPool(1);
    const first = Array.from({ length: 4 }, () => pool.runScript(sleeping(0.2)));
    await vi.waitFor(() => expect(state.attempts).toBe(4));
    state.room = 4;
    for (const reply of await Promise.all(first)) expect(reply.ok).toBe(true);
    expect(state.open).toBeGreaterThan(1);
  });

  test('lets requests wait until their timeout', async () => {
    const { pool } = createLimitedPool(1, { acquisitionTimeoutMs: 1500 });
    const { busy, release } = occupy(pool);
    await vi.waitFor(() => expect(pool.statistics.waiting).toBe(0));
    expect(await pool.runScript(PID)).toStrictEqual({ ok: false, error: { kind: 'poolTimeout' } });
    release();
    expect(await busy).toStrictEqual(ok('done'));
  });

  test('fails waiting requests when its last connection is lost and no other is accepted', async () => {
    const { pool, state, refusal } = createLimitedPool(1);
    const pid = bodyOf(await pool.runScript(PID));
    const busy = pool.runScript(sleeping(20));
    const waiting = pool.runScript(PID);
    await vi.waitFor(() => expect(state.attempts).toBe(2));
    await kill(pid);
    expect((await busy).ok).toBe(false);
    expect(await waiting).toStrictEqual(fail(refusal));
  });
});

describe('the lifetime of a connection', () => {
  test('a connection that is idle too long is closed', async () => {
    const { pool, lines } = createPool({ maxIdleTimeMs: 100 });
    await pool.runScript(PID);
    await sleep(60);
    await pool.runScript(PID);
    await sleep(60);
    expect(pool.statistics.available).toBe(1);
    await vi.waitFor(() => expect(pool.statistics.available).toBe(0));
    expect(lines().at(-1)).toBe('terminated 1: max idletime');
  });

  test('a connection that is too old is closed when idle, never during a request', async () => {
    const { pool, lines } = createPool({ maxLifetimeMs: 100 });
    expect((await pool.runScript(sleeping(0.3))).ok).toBe(true);
    expect(lines().at(-1)).toBe('terminated 1: max lifetime');
    await pool.runScript(PID);
    expect(lines().at(-1)).toBe('available 2: session success');
    await vi.waitFor(() => expect(lines().at(-1)).toBe('terminated 2: max lifetime'));
  });

  test('O172 a flush closes idle connections immediately, and busy ones when their request ends', async () => {
    const { pool, lines } = createPool({ maxConnections: 2 });
    const [, idle] = await Promise.all([pool.runScript(PID), pool.runScript(PID)]);
    await vi.waitFor(() => expect(pool.statistics.available).toBe(2));
    const { busy, release } = occupy(pool);
    pool.flush();
    expect(pool.statistics.available).toBe(0);
    const next = bodyOf(await pool.runScript(PID));
    expect(next).not.toBe(bodyOf(idle));
    release();
    expect((await busy).ok).toBe(true);
    expect(pool.statistics.available).toBe(1);
    expect(lines().filter((line) => line.startsWith('terminated'))).toStrictEqual([
      expect.stringMatching(/^terminated [12]: release$/),
      expect.stringMatching(/^terminated [12]: release$/),
    ]);
    expect(lines().filter((line) => line === 'flushed')).toHaveLength(1);
  });

  test('O172 after renew and flush the pool has connections ready', async () => {
    const { pool, lines } = createPool({ maxConnections: 8 });
    const old = await Promise.all([1, 2, 3].map(() => pool.runScript(sleeping(0.05))));
    expect(old.map(({ ok: isOk }) => isOk)).toStrictEqual([true, true, true]);
    await pool.renew();
    expect(pool.statistics.available).toBe(5);
    const count = lines().length;
    pool.flush();
    expect(pool.statistics.available).toBe(2);
    await Promise.all([1, 2].map(() => pool.runScript(sleeping(0.05))));
    expect(pool.statistics.available).toBe(2);
    expect(lines().slice(count)).not.toContainEqual(expect.stringMatching(/^connecting/u));
  });

  test('O172 renew closes idle connections of a full pool to make space', async () => {
    const { pool, lines } = createPool({ maxConnections: 2 });
    await Promise.all([pool.runScript(sleeping(0.05)), pool.runScript(sleeping(0.05))]);
    const { busy, release } = occupy(pool);
    await pool.renew();
    expect(pool.statistics.available).toBe(1);
    expect(lines().slice(-3)).toStrictEqual([
      expect.stringMatching(/^terminated [12]: release$/u),
      'connecting 3',
      'available 3: connection establishment',
    ]);
    pool.flush();
    release();
    await busy;
    expect(pool.statistics.available).toBe(1);
    expect(bodyOf(await pool.runScript(PID))).toMatch(/^\d+$/u);
    expect(lines()).toContain('used 3');
  });

  test('O175 a killed backend fails only its own request', async () => {
    const { pool, lines } = createPool();
    const pid = bodyOf(await pool.runScript(PID));
    const running = pool.runScript(sleeping(20));
    await sleep(50);
    const waiting = pool.runScript(PID);
    await kill(pid);
    expect(await running).toMatchObject({ ok: false, error: { kind: 'database', report: { sqlstate: '57P01' } } });
    expect(bodyOf(await waiting)).not.toBe(pid);
    expect(lines()).toContain('terminated 1: network error');
    expect(pool.statistics.available).toBe(1);
  });

  test('O175 a backend killed while idle fails no request', async () => {
    const { pool, lines } = createPool();
    const pid = bodyOf(await pool.runScript(PID));
    await kill(pid);
    await vi.waitFor(() => expect(pool.statistics.available).toBe(0));
    expect(lines().at(-1)).toBe('terminated 1: network error');
    expect(bodyOf(await pool.runScript(PID))).not.toBe(pid);
  });

  test('an unusable connection is discarded', async () => {
    const { pool, lines } = createPool();
    await pool.use((session) => {
      session.taint();
      return Promise.resolve(ok(undefined));
    });
    expect(lines().at(-1)).toBe('terminated 1: release');
    expect(pool.statistics.available).toBe(0);
  });

  test('a failing request keeps its connection, work that throws does not', async () => {
    const { pool, lines } = createPool();
    expect((await pool.runScript(readScript(mainStatement('1/0')))).ok).toBe(false);
    expect(lines().at(-1)).toBe('available 1: session failure');
    await expect(pool.use(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(lines().at(-1)).toBe('terminated 1: release');
  });
});

describe('a server that is no longer the primary', () => {
  const options = (targetSession: 'read-write' | 'any'): Partial<PoolOptions> => ({
    maxConnections: 2,
    connect: () => connect(connectOptions(adminUri(), { targetSession })),
  });
  const write = writeScript({ ...mainStatement(''), text: 'create table refused_as_read_only (id int)' });

  async function refuse(pool: Pool, script: typeof write): Promise<unknown> {
    // The state after a promotion of another server, behind a proxy that keeps connections.
    await pool.use((session) => query(session, 'set default_transaction_read_only = on'));
    const reply = await pool.runScript(script);
    return reply.ok ? reply : 'report' in reply.error && reply.error.report.sqlstate;
  }

  test('its connections are replaced when it rejects a write', async () => {
    const { pool, lines } = createPool(options('read-write'));
    expect(await refuse(pool, write)).toBe('25006');
    expect(pool.statistics.open).toBe(0);
    expect(lines()).toContain('flushed');
    expect(bodyOf(await pool.runScript(writeScript(mainStatement(`current_setting('transaction_read_only')`))))).toBe(
      'off',
    );
  });

  test('it keeps its connections if any server is acceptable', async () => {
    const { pool, lines } = createPool(options('any'));
    expect(await refuse(pool, write)).toBe('25006');
    expect(lines()).not.toContain('flushed');
  });

  test('the same error raised by a function has no effect', async () => {
    const { pool, lines } = createPool(options('read-write'));
    const raising = `do $$ begin raise exception using errcode = '25006'; end $$`;
    const reply = await pool.runScript(writeScript({ ...mainStatement(''), text: raising }));
    expect(reply).toMatchObject({ ok: false, error: { report: { sqlstate: '25006' } } });
    expect(lines()).not.toContain('flushed');
  });
});

describe('closing', () => {
  test('serves earlier requests, rejects later ones and closes every connection', async () => {
    const { pool, lines } = createPool({ maxConnections: 2 });
    const sessions: Session[] = [];
    const note = (session: Session): ReturnType<typeof query> => {
      sessions.push(session);
      return query(session, 'select pg_sleep(0.1)');
    };
    const before = Array.from({ length: 3 }, () => pool.use(note));
    await sleep(20);
    const closed = pool.close();
    expect(await pool.runScript(PID)).toStrictEqual({
      ok: false,
      error: { kind: 'connectionLost', details: 'the connection pool is closed' },
    });
    for (const reply of await Promise.all(before)) expect(reply.ok).toBe(true);
    await closed;
    for (const session of sessions) expect(session.loss).toBe('the connection was closed');
    expect(lines().filter((line) => line.startsWith('terminated'))).toHaveLength(2);
    await pool.close();
  });

  test('a pool without connections closes immediately', async () => {
    await expect(createPool().pool.close()).resolves.toBe(undefined);
  });
});

function insertion(id: number, table = 'arrivals'): ReturnType<typeof writeScript> {
  return writeScript({
    ...mainStatement('', [String(id)]),
    text: `with s as (insert into ${table} values ($1) returning id) select 1, null, null, null, id::text from s`,
  });
}

test('the writes of parallel requests all arrive, each once', async () => {
  const { pool } = createPool({ maxConnections: 4 });
  await pool.use((session) => query(session, 'create table if not exists arrivals (id int)'));
  const replies = await Promise.all(Array.from({ length: 200 }, (_, id) => pool.runScript(insertion(id))));
  expect(replies.map(bodyOf)).toStrictEqual(Array.from({ length: 200 }, (_, id) => String(id)));
  const counted = await pool.use((session) => query(session, 'select count(*), count(distinct id) from arrivals'));
  expect(counted).toStrictEqual({ ok: true, value: [['200', '200']] });
  await pool.use((session) => query(session, 'drop table arrivals'));
});
