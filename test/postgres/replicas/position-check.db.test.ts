// Checks of WAL positions on a real standby, and positions of commits on its primary.
import { expect, test } from 'vitest';
import { parseLsn, type LogPosition } from '../../../src/contract/log-position.ts';
import { runAlone } from '../support/run-alone.ts';
import { renderPositionCheck } from '../../../src/extensions/replicas/position-statements.ts';
import { LOG_END, readLogEnd } from '../../../src/sql/log-end.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { until } from '../../support/until.ts';
import { type Member, ReplicatedCluster } from '../../support/replicated-cluster.ts';
import { bodyOf, openSession, outcomeOf, rowsOf } from '../support/connect-test.ts';
import { mainStatement, readScript, writeScript } from '../support/scripts.ts';
import { use } from '../../support/use.ts';

const BODY = `(select count(*)::text from cargo)`;

const cluster = await use(
  ReplicatedCluster.start(
    `create table cargo (id int); create role plain login; grant select, insert on cargo to plain;
     create function load() returns text language sql as $$ insert into cargo values (1) returning 'written' $$`,
    [{}],
  ),
);
const [standby] = cluster.replicas as [Member];
const login = (uri: string): string => uri.replace('postgres@', 'plain@');
const session = await use(openSession(login(standby.uri)));
const primarySession = await use(openSession(login(cluster.primary.uri)));

async function read(on: Session, position: LogPosition, changes = {}): Promise<string | undefined> {
  const reply = await runAlone(
    on,
    readScript(mainStatement(BODY), { precondition: renderPositionCheck(position), ...changes }),
  );
  if (reply.ok) return bodyOf(reply);
  return reply.error.kind === 'database' ? reply.error.report.sqlstate : reply.error.kind;
}

async function replayed(): Promise<LogPosition> {
  const lsn = parseLsn(await standby.value('select pg_last_wal_replay_lsn()'));
  return { timeline: 1, lsn: lsn ?? 0n };
}

/** Also stops WAL that the primary writes on its own. */
async function pause(): Promise<void> {
  await standby.sql('select pg_wal_replay_pause()');
  await until(async () => (await standby.value('select pg_get_wal_replay_pause_state()')) === 'paused');
}

async function write(changes = {}): Promise<LogPosition | undefined> {
  const script = writeScript(mainStatement('load()'), { afterCommit: LOG_END, ...changes });
  const outcome = outcomeOf(await runAlone(primarySession, script));
  expect(outcome.body).toStrictEqual(Buffer.from('written'));
  return readLogEnd(outcome.afterCommit ?? []);
}

test('a read succeeds once its position has been replayed, and fails before', async () => {
  await cluster.catchUp();
  await pause();
  const position = await replayed();
  for (const each of [position, { timeline: 1, lsn: 0n }]) expect(await read(session, each)).toBe('0');
  expect(await read(session, { ...position, lsn: position.lsn + 1n })).toBe('22P02');
  expect(await read(session, { ...position, timeline: 2 })).toBe('22P02');
  await standby.sql('select pg_wal_replay_resume()');
  expect(session.isUsable).toBe(true);
});

test('the session is cleaned after reads on a standby too', async () => {
  await cluster.catchUp();
  expect(await read(session, await replayed(), { leftovers: 'all' })).toBe('0');
  expect(session.isUsable).toBe(true);
});

test('the check always fails at isolation levels whose snapshot is older than the check', async () => {
  await cluster.catchUp();
  const position = await replayed();
  expect(await read(session, position, { isolation: 'read committed' })).toBe('0');
  expect(await read(session, position, { isolation: 'repeatable read' })).toBe('22P02');
  await rowsOf(session, `set default_transaction_isolation = 'repeatable read'`);
  expect(await read(session, position)).toBe('22P02');
  await rowsOf(session, 'reset default_transaction_isolation');
  expect(await read(session, position)).toBe('0');
});

test('the check fails on a server that is not a standby', async () => {
  expect(await read(primarySession, { timeline: 1, lsn: 0n })).toBe('22P02');
});

test.each([{}, { leftovers: 'all' }, { isolation: 'serializable' }, { verify: () => undefined }])(
  'the position of a write is after its commit: %j',
  async (changes) => {
    await cluster.catchUp();
    await pause();
    const before = await replayed();
    const position = await write(changes);
    expect(position?.timeline).toBe(1);
    expect(position?.lsn).toBeGreaterThan(before.lsn);
    const rows = await cluster.primary.value('select count(*) from cargo');
    expect(await read(session, position ?? before)).toBe('22P02');
    await standby.sql('select pg_wal_replay_resume()');
    await cluster.catchUp();
    expect(await read(session, position ?? before)).toBe(rows);
  },
);

test('a write that fails is rolled back and returns no position', async () => {
  const script = writeScript(mainStatement(`(1 / 0)::text || load()`), { afterCommit: LOG_END });
  const reply = await runAlone(primarySession, script);
  expect(reply).toMatchObject({ ok: false, error: { report: { sqlstate: '22012' } } });
  expect(primarySession.isUsable).toBe(true);
});
