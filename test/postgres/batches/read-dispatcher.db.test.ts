// Reads that share a write, against a real PostgreSQL: each gets its own reply, whatever happens to its neighbors.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isStream } from '../../../src/contract/body-stream.ts';
import { ok, type Result } from '../../../src/contract/result.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { createDatabase, runSql, adminUri } from '../../support/database.ts';
import { bodyOf, outcomeOf, rowsOf } from '../support/connect-test.ts';
import { Dispatch, type DispatchOptions } from '../support/dispatch.ts';
import { mainStatement, readScript, SEARCH_PATH, writeScript } from '../support/scripts.ts';
import { use, whenOver } from '../../support/use.ts';

const FIXTURE = `
  create table item (id int primary key, name text);
  insert into item values (1, 'one'), (2, 'two');
  create table gate ();
  create role batch_captain;
  create role batch_sailor;
  grant select on item to batch_captain, batch_sailor;
`;

/** A read that waits while the gate is locked. */
const GATED = readScript(mainStatement(`(select count(*)::text from gate)`));

let dispatch: Dispatch;

whenOver(() => runSql(adminUri(), 'drop role batch_captain, batch_sailor'));
const database = await use(createDatabase());
await runSql(database.uri, FIXTURE);

beforeEach(() => start());

afterEach(async () => {
  // A failed test may have left the gate locked.
  await rowsOf(dispatch.control, 'rollback');
  await dispatch.stop();
});

async function start(options?: DispatchOptions): Promise<void> {
  dispatch = await Dispatch.start(database.uri, options);
}

async function restart(options: DispatchOptions): Promise<void> {
  await dispatch.stop();
  await start(options);
}

/** A read whose text is known to be cheap, with a distinct value. */
function echo(value: string): TransactionScript {
  return readScript(mainStatement(`$1::text || ' by ' || pg_backend_pid()`, [value]));
}

function run(script: TransactionScript, signal?: AbortSignal): Promise<ScriptReply> {
  return dispatch.dispatcher.runScript(script, signal);
}

/** Runs all scripts in one turn of the event loop. */
function runAll(scripts: readonly TransactionScript[]): Promise<ScriptReply[]> {
  dispatch.learn(scripts);
  return Promise.all(scripts.map((script) => run(script)));
}

function pidsOf(replies: readonly ScriptReply[]): Set<string | undefined> {
  return new Set(replies.map((reply) => bodyOf(reply)?.split(' by ')[1]));
}

/** Opens sessions, so that later reads find as many idle ones. */
async function openSessions(count: number): Promise<void> {
  let missing = count;
  let release = (): void => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  const hold = async (): Promise<Result<void, never>> => {
    missing -= 1;
    if (missing === 0) release();
    await all;
    return ok(undefined);
  };
  await Promise.all(Array.from({ length: count }, () => dispatch.pool.use(hold)));
}

async function closeGate(): Promise<void> {
  await rowsOf(dispatch.control, 'begin');
  await rowsOf(dispatch.control, 'lock table gate in access exclusive mode');
}

async function openGate(): Promise<void> {
  await rowsOf(dispatch.control, 'commit');
}

/** Resolves when this many sessions of the pool wait at the gate. */
async function awaitWaiting(count: number): Promise<void> {
  const waiting = `select count(*) from pg_locks where not granted and relation = 'gate'::regclass`;
  await expect.poll(() => rowsOf(dispatch.control, waiting), { interval: 5, timeout: 5000 }).toEqual([[String(count)]]);
}

describe('batching', () => {
  test('reads of one turn share one write and one session, each in its own transaction', async () => {
    const own = readScript(mainStatement(`pg_current_xact_id()::text || ' by ' || pg_backend_pid()`));
    // After a single read, the next one would not wait for others.
    await runAll([own, own]);
    dispatch.proxy.takeRecord();
    const replies = await runAll([own, own, own, own]);
    expect(dispatch.proxy.takeRecord().clientChunks).toBe(1);
    expect(new Set(replies.map((reply) => bodyOf(reply))).size).toBe(4);
    expect(pidsOf(replies).size).toBe(1);
  });

  test('a single read is one write', async () => {
    await runAll([echo('a')]);
    dispatch.proxy.takeRecord();
    expect(bodyOf((await runAll([echo('b')]))[0]!)).toMatch(/^b by/u);
    expect(dispatch.proxy.takeRecord()).toStrictEqual({ turns: '><', clientChunks: 1 });
  });

  test('many reads are spread over batches, and every read gets its own reply', async () => {
    const values = Array.from({ length: 500 }, (_, index) => `value ${index}`);
    const replies = await runAll(values.map(echo));
    expect(replies.map((reply) => bodyOf(reply)?.split(' by ')[0])).toStrictEqual(values);
  });

  test('roles, claims and search paths do not mix', async () => {
    const main = mainStatement(
      `concat_ws(' ', current_user, current_setting('request.jwt.claims'), current_schemas(false))`,
    );
    const scripts = Array.from({ length: 40 }, (_, index): TransactionScript => {
      const role = index % 2 === 0 ? 'batch_captain' : 'batch_sailor';
      const path = index % 3 === 0 ? SEARCH_PATH : '"pg_catalog"';
      const text = `select set_config('search_path', $1, true), set_config('role', $2, true), set_config('request.jwt.claims', $3, true), set_config('transaction_read_only', 'on', true)`;
      return readScript(main, { role, settings: { text, parameters: [path, role, String(index)] } });
    });
    const replies = await runAll(scripts);
    expect(replies.map((reply) => bodyOf(reply))).toStrictEqual(
      scripts.map(({ role }, index) => `${role} ${index} {${index % 3 === 0 ? 'public' : 'pg_catalog'}}`),
    );
  });

  test('a write gets a dedicated session', async () => {
    const write = writeScript(mainStatement(`'write by ' || pg_backend_pid()`));
    await openSessions(2);
    dispatch.proxy.takeRecord();
    const replies = await runAll([echo('a'), write, echo('b')]);
    expect(dispatch.proxy.takeRecord().clientChunks).toBe(2);
    expect(replies.map((reply) => reply.ok)).toStrictEqual([true, true, true]);
  });

  test('new texts and slow texts are sent alone', async () => {
    const [known, fresh, slow] = ['known', 'fresh', 'slow'].map((name) =>
      readScript(mainStatement(`'${name} by ' || pg_backend_pid()`)),
    );
    dispatch.learn([known!]);
    dispatch.learn([slow!], 20);
    await openSessions(4);
    dispatch.proxy.takeRecord();
    await Promise.all([known!, fresh!, slow!, known!].map((script) => run(script)));
    expect(dispatch.proxy.takeRecord().clientChunks).toBe(3);
  });

  test('two reads with the same new text prepare it once', async () => {
    const script = readScript(mainStatement(`'prepared once'`));
    const count = readScript(
      mainStatement(`(select count(*)::text from pg_prepared_statements where statement like '%prepared ' || 'once%')`),
    );
    const replies = await runAll([script, script, count]);
    expect(replies.map((reply) => bodyOf(reply))).toStrictEqual(['prepared once', 'prepared once', '1']);
  });
});

describe('an error', () => {
  test('in one read does not affect the others', async () => {
    const divided = (by: number): TransactionScript => readScript(mainStatement(`(6 / $1::int)::text`, [String(by)]));
    const replies = await runAll([1, 0, 2, 0, 3].map(divided));
    expect(replies.map((reply) => (reply.ok ? bodyOf(reply) : reply.error))).toMatchObject([
      '6',
      { kind: 'database', report: { sqlstate: '22012' } },
      '3',
      { kind: 'database', report: { sqlstate: '22012' } },
      '2',
    ]);
  });

  test('before a new text is prepared does not stop the next read from preparing it', async () => {
    const script = readScript(mainStatement(`'after an error'`));
    const settings = { text: `select set_config('role', $1, true)`, parameters: ['nobody'] };
    const broken = readScript(mainStatement(`'after an error'`), { settings });
    const [refused, answered] = await runAll([broken, script]);
    expect(refused).toMatchObject({ ok: false, error: { report: { sqlstate: '22023' } } });
    expect(bodyOf(answered!)).toBe('after an error');
    expect(bodyOf((await runAll([script]))[0]!)).toBe('after an error');
  });

  test('caused by a defect in Rowhouse affects only its own read', async () => {
    const broken = readScript(mainStatement(`'\0'`));
    dispatch.learn([broken, echo('a')]);
    const replies = await Promise.allSettled([run(echo('a')), run(broken), run(echo('b'))]);
    expect(replies.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('session state left by a read', () => {
  const leaving = (body: string): TransactionScript => readScript(mainStatement(body), { leftovers: 'all' });
  const tenant = readScript(mainStatement(`coalesce(nullif(current_setting('app.tenant', true), ''), 'nobody')`));

  test('is cleaned before the next read of its batch', async () => {
    const replies = await runAll([tenant, leaving(`set_config('app.tenant', 'left', false)`), tenant]);
    expect(replies.map((reply) => bodyOf(reply))).toStrictEqual(['nobody', 'left', 'nobody']);
  });

  test('is cleaned after its batch if the read failed', async () => {
    const locking = leaving(`1 / length(pg_advisory_lock(42)::text)`);
    const replies = await runAll([echo('a'), locking, echo('b')]);
    expect(replies.map(({ ok: isAnswered }) => isAnswered)).toStrictEqual([true, false, true]);
    expect(await rowsOf(dispatch.control, `select count(*) from pg_locks where locktype = 'advisory'`)).toEqual([
      ['0'],
    ]);
    const [after] = await runAll([echo('c')]);
    expect(pidsOf([replies[0]!, after!]).size).toBe(1);
  });

  test('that cannot be cleaned ends the session: the others are sent on another one', async () => {
    const own = readScript(mainStatement(`session_user || ' by ' || pg_backend_pid()`));
    const changing = leaving(`set_config('session_authorization', 'batch_captain', false)`);
    const [before, left, ...others] = await runAll([own, changing, own, own]);
    const [user] = bodyOf(before!)!.split(' by ');
    expect(bodyOf(left!)).toBe('batch_captain');
    expect(others.map((reply) => bodyOf(reply)?.split(' by ')[0])).toStrictEqual([user, user]);
    const [pid] = pidsOf([before!]);
    expect(pidsOf(others)).not.toContain(pid);
  });
});

describe('outdated statements', () => {
  const script = readScript({ ...mainStatement(''), text: 'select 1, null::bigint, null, null, n from changing' });

  beforeEach(async () => {
    await rowsOf(dispatch.control, 'drop table if exists changing');
    await rowsOf(dispatch.control, `create table changing as select 'one' as n`);
  });

  test('are retried without a name, and prepared again by the next read', async () => {
    const other = echo('other');
    await runAll([script, other]);
    await rowsOf(dispatch.control, `alter table changing alter n type varchar(7)`);
    const replies = await runAll([script, other, script, script]);
    expect(replies.map((reply) => bodyOf(reply)?.slice(0, 3))).toStrictEqual(['one', 'oth', 'one', 'one']);
    const count = readScript(
      mainStatement(`(select count(*)::text from pg_prepared_statements where statement like '%chang' || 'ing /*%')`),
    );
    expect(bodyOf((await runAll([count]))[0]!)).toBe('0');
    await runAll([script]);
    expect(bodyOf((await runAll([count]))[0]!)).toBe('1');
  });

  test('are an error for each read if that does not help', async () => {
    await runAll([script]);
    await rowsOf(dispatch.control, 'drop table changing');
    const replies = await runAll([script, echo('a'), script]);
    expect(replies[0]).toMatchObject({ ok: false, error: { report: { sqlstate: '42P01' } } });
    expect(bodyOf(replies[1]!)).toMatch(/^a by/u);
    expect(replies[2]).toMatchObject({ ok: false, error: { report: { sqlstate: '42P01' } } });
  });
});

describe('a lost connection', () => {
  const ending = (value: string): TransactionScript =>
    readScript(
      mainStatement(`case $1 when 'end' then pg_terminate_backend(pg_backend_pid(), 5000)::text else $1 end`, [value]),
    );

  test('is retried for reads that did not cause it', async () => {
    const replies = await runAll(['a', 'b', 'end', 'c', 'd'].map(ending));
    expect(replies.map((reply) => (reply.ok ? bodyOf(reply) : 'lost'))).toStrictEqual(['a', 'b', 'lost', 'c', 'd']);
    expect(replies[2]).toMatchObject({ error: { report: { sqlstate: '57P01' }, connectionFault: 'ended' } });
    expect(bodyOf((await runAll([echo('later')]))[0]!)).toMatch(/^later by/u);
  });

  test('is an error if the second connection is lost as well', async () => {
    const [reply] = await runAll([ending('end')]);
    expect(reply).toMatchObject({ ok: false });
    expect(dispatch.pool.statistics.available).toBe(0);
  });
});

describe('a slow read', () => {
  test('does not delay the reads behind it: they are sent on another session', async () => {
    await restart({ maxConnections: 2, isHedging: true });
    await runAll([GATED, echo('x')]);
    await closeGate();
    const [gated, ...others] = [GATED, echo('a'), echo('b')].map((script) => run(script));
    expect(pidsOf(await Promise.all(others)).size).toBe(1);
    await expect.poll(() => dispatch.pool.statistics.available).toBe(1);
    await openGate();
    expect(bodyOf(await gated!)).toBe('0');
  });

  test('delays reads behind it that must not be sent twice', async () => {
    await restart({ maxConnections: 2, isHedging: true });
    const once = readScript(mainStatement(`'once by ' || pg_backend_pid()`), { mayRunConcurrently: false });
    await runAll([GATED, once, echo('x')]);
    await closeGate();
    const [gated, held, other] = [GATED, once, echo('a')].map((script) => run(script));
    const answered = await other!;
    await openGate();
    const first = await held!;
    await gated;
    expect(bodyOf(first)).toMatch(/^once by/u);
    expect(pidsOf([first, answered]).size).toBe(2);
  });

  test('affects no read behind it whose second copy loses its connection', async () => {
    await restart({ maxConnections: 2, isHedging: true });
    await runAll([GATED, echo('x')]);
    await closeGate();
    const reads = [GATED, GATED].map((script) => run(script));
    await awaitWaiting(2);
    await rowsOf(
      dispatch.control,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where pid in (select pid from pg_locks where not granted and relation = 'gate'::regclass)
        order by query_start desc limit 1`,
    );
    await openGate();
    expect((await Promise.all(reads)).map((reply) => bodyOf(reply))).toStrictEqual(['0', '0']);
  });

  test('leaves sessions for later reads, up to the size of the pool', async () => {
    await restart({ maxConnections: 4, isHedging: true });
    await runAll([GATED, echo('x')]);
    await closeGate();
    const gated: Promise<ScriptReply>[] = [];
    for (let count = 1; count <= 3; count += 1) {
      gated.push(run(GATED));
      await awaitWaiting(count);
      expect(bodyOf(await run(echo('a')))).toMatch(/^a by/u);
    }
    gated.push(run(GATED));
    await awaitWaiting(4);
    const late = run(echo('late'));
    await expect.poll(() => dispatch.dispatcher.statistics.waiting).toBe(1);
    await openGate();
    expect((await Promise.all(gated)).map((reply) => bodyOf(reply))).toStrictEqual(['0', '0', '0', '0']);
    expect(bodyOf(await late)).toMatch(/^late by/u);
    expect(dispatch.dispatcher.statistics).toMatchObject({ waiting: 0, timeouts: 0, max: 4 });
  });
});

describe('waiting', () => {
  test('includes each read that has not been sent, and ends with the timeout of each', async () => {
    await restart({ maxConnections: 1, acquisitionTimeoutMs: 300 });
    await runAll([GATED, echo('x')]);
    await closeGate();
    const gated = run(GATED);
    await awaitWaiting(1);
    const begin = performance.now();
    const late = Promise.all(['a', 'b', 'c'].map((value) => run(echo(value))));
    await expect.poll(() => dispatch.dispatcher.statistics.waiting, { interval: 5 }).toBe(3);
    const refusal = { ok: false, error: { kind: 'poolTimeout' } };
    expect(await late).toStrictEqual([refusal, refusal, refusal]);
    expect(performance.now() - begin).toBeGreaterThan(290);
    expect(dispatch.dispatcher.statistics).toMatchObject({ waiting: 0, timeouts: 3 });
    await openGate();
    expect(bodyOf(await gated)).toBe('0');
    expect(bodyOf(await run(echo('d')))).toMatch(/^d by/u);
  });

  test('does not block scripts that need a dedicated session', async () => {
    await restart({ maxConnections: 1 });
    const write = writeScript(mainStatement(`'written'`));
    await runAll([echo('x')]);
    const over = new AbortController();
    const read = async (): Promise<void> => {
      while (!over.signal.aborted) await run(echo('a'));
    };
    const reading = Promise.all(Array.from({ length: 40 }, read));
    for (let count = 0; count < 20; count += 1) expect(bodyOf(await run(write))).toBe('written');
    over.abort();
    await reading;
  });

  test('ends with the reason if the database is unreachable', async () => {
    await dispatch.proxy.close();
    const replies = await runAll([echo('a'), echo('b')]);
    expect(replies.map((reply) => (reply.ok ? 'ok' : reply.error.kind))).toStrictEqual([
      'cannotConnect',
      'cannotConnect',
    ]);
    expect(dispatch.dispatcher.statistics.waiting).toBe(0);
  });
});

describe('a client that disconnects', () => {
  const gone = { ok: false, error: { kind: 'database', report: { sqlstate: '57014' } } };

  test('before its read is sent: nothing is sent', async () => {
    dispatch.learn([echo('a')]);
    const controller = new AbortController();
    const left = run(echo('a'), controller.signal);
    controller.abort();
    expect(await left).toMatchObject(gone);
    await setImmediate();
    expect(dispatch.proxy.takeRecord().clientChunks).toBe(0);
    expect(await run(echo('b'), AbortSignal.abort())).toMatchObject(gone);
    expect(dispatch.dispatcher.statistics.waiting).toBe(0);
  });

  test('alone on its session: the statement is cancelled and the session serves the next read', async () => {
    await restart({ maxConnections: 1 });
    const [before] = await runAll([echo('x'), GATED]);
    await closeGate();
    const controller = new AbortController();
    const left = run(GATED, controller.signal);
    await awaitWaiting(1);
    controller.abort();
    expect(await left).toMatchObject(gone);
    const after = await run(echo('y'));
    expect(pidsOf([before!, after]).size).toBe(1);
    await openGate();
  });

  test('with others behind it: they get their replies, then the statement is cancelled', async () => {
    await restart({ maxConnections: 2, isHedging: true });
    await runAll([GATED, echo('x')]);
    await closeGate();
    const controller = new AbortController();
    const left = run(GATED, controller.signal);
    const others = ['a', 'b'].map((value) => run(echo(value)));
    await awaitWaiting(1);
    controller.abort();
    expect((await Promise.all(others)).map((reply) => bodyOf(reply)?.[0])).toStrictEqual(['a', 'b']);
    expect(await left).toMatchObject(gone);
    await awaitWaiting(0);
    await openGate();
  });

  test('behind another read: its neighbors get their replies', async () => {
    await restart({ maxConnections: 1 });
    await runAll([GATED, echo('x')]);
    await closeGate();
    const controller = new AbortController();
    const [gated, left, other] = [run(GATED), run(echo('a'), controller.signal), run(echo('b'))];
    await awaitWaiting(1);
    controller.abort();
    await openGate();
    expect(bodyOf(await gated)).toBe('0');
    expect(bodyOf(await other)).toMatch(/^b by/u);
    await left;
    expect(bodyOf(await run(echo('c')))).toMatch(/^c by/u);
  });
});

test('a session that was flushed or is too old serves no further batch', async () => {
  const [before] = await runAll([echo('a')]);
  dispatch.pool.flush();
  const [after] = await runAll([echo('b')]);
  expect(pidsOf([before!, after!]).size).toBe(2);
});

test('a closed pool serves the reads that arrived before', async () => {
  dispatch.learn([echo('a')]);
  const replies = Promise.all(['a', 'b'].map((value) => run(echo(value))));
  await setImmediate();
  await dispatch.pool.close();
  expect((await replies).map((reply) => bodyOf(reply)?.[0])).toStrictEqual(['a', 'b']);
  expect(await run(echo('c'))).toMatchObject({ ok: false, error: { kind: 'connectionLost' } });
});

describe('long responses', () => {
  /** 30 MB, more than the memory for responses that cannot be streamed. */
  const ROWS = 30;
  const LONG = readScript({
    text: `select ${ROWS}, null, null, null, null, null, '"' || rpad(pg_backend_pid()::text, 1000000, ' ') || '"'
      from generate_series(1, ${ROWS})`,
    parameters: [],
    delivery: { kind: 'countedRows', format: 'array' },
  });

  /** Reads the body; returns the backend that sent it. */
  async function readLong(reply: ScriptReply): Promise<string> {
    const { body } = outcomeOf(reply);
    if (!isStream(body)) throw new Error('expected a stream');
    const pieces: Uint8Array[] = [];
    const take = (piece: Uint8Array): boolean => pieces.push(Buffer.from(piece)) > 0;
    await new Promise<void>((end, fail) => body.read({ take, end, fail: () => fail(new Error('cut')) }));
    const [pid, ...others] = JSON.parse(Buffer.concat(pieces).toString()) as string[];
    expect(others).toStrictEqual(Array.from({ length: ROWS - 1 }, () => pid));
    return pid!;
  }

  test('of a statement whose responses were short are not rejected because they shared a session', async () => {
    const [first, second] = await runAll([LONG, LONG]);
    const pids = [await readLong(first!), await readLong(second!)];
    expect(new Set(pids).size).toBe(2);
  });

  test('never share a session again', async () => {
    dispatch.learn([LONG]);
    await readLong(await run(LONG));
    const replies = await Promise.all([run(LONG), run(LONG)]);
    expect(new Set(await Promise.all(replies.map(readLong))).size).toBe(2);
  });
});
