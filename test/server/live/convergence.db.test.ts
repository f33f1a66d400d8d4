// Random writes with watchers of several roles: after each quiet point, every watcher has what a GET of its own returns,
// and none has ever received a row, a key or a count that its role could not see then or before (`beyond.md` §3.1b).
// `ROWHOUSE_CHANGES` sets the number of changed rows, `ROWHOUSE_SEED` the random numbers.
import type { Client } from 'pg';
import { type QueryResult } from 'pg';
import { expect, test } from 'vitest';
import { Random } from '../../support/generate/random.ts';
import { isLong } from '../../support/long-form.ts';
import { bearer, useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from './live-harbor.ts';
import { OWNERS, randomWrites } from './random-writes.ts';
import { SeenRows, type Viewer } from './seen-rows.ts';
import { type Row, Watcher } from './watcher.ts';
import { connect } from '../../support/database.ts';

const CHANGES = Number(process.env['ROWHOUSE_CHANGES'] ?? (isLong ? 50_000 : 0));
const MIN_ROUNDS = 6;
/** Transactions of a writer in a round. */
const TRANSACTIONS = isLong ? 200 : 8;
const WRITERS = 3;
/** Streams of each read of each viewer. */
const STREAMS = isLong ? 5 : 1;
const SEED = Number(process.env['ROWHOUSE_SEED'] ?? 1);
/** Key of the advisory lock that serializes transactions; any number works. */
const LOCK = 36;

const TEAM_MATES = `exists (select from api.member m where m.team_id = task.team_id
  and m.who = current_setting('request.jwt.claims', true)::json ->> 'sub')`;
const OWN = `owner = current_setting('request.jwt.claims', true)::json ->> 'sub'`;
const KEEPER = 'keeper';
/** Who sees a task, in turn. */
const POLICIES = [`${OWN} or ${TEAM_MATES}`, OWN, `${TEAM_MATES} and state = 'open'`];

const harbor = await useLiveHarbor(
  ({ user, login }) => `
  create table api.team (id int primary key, name text);
  create table api.member (team_id int references api.team, who text, primary key (team_id, who));
  create table api.task (id int primary key, team_id int references api.team, owner text, state text, note text,
    urgent boolean);
  create table api.event (id int, day int, note text, primary key (id, day)) partition by range (day);
  create table api.event_1 partition of api.event for values from (0) to (5);
  create table api.event_2 partition of api.event for values from (5) to (10);
  insert into api.team select n, 'team ' || n from generate_series(1, 3) n;
  alter table api.task enable row level security;
  create policy visible on api.task to ${user} using (${POLICIES[0] ?? ''});
  -- Rows of different owners have different keys and notes, and never change hands.
  create table api.vault (id int primary key, owner text, note text);
  alter table api.vault enable row level security;
  create policy own on api.vault to ${user} using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
  create view api.totals with (security_invoker) as select team_id, count(*) as count from api.task group by team_id;
  -- Sees some open tasks, and nothing of the vault.
  create role ${KEEPER};
  create policy kept on api.task to ${KEEPER} using (state = 'open' and team_id <> 2);
  grant ${KEEPER} to ${login};
  grant usage on schema api to ${KEEPER};
  grant select on all tables in schema api to ${user}, ${KEEPER};
  create publication ${PUBLICATION} for all tables;
`,
);
const start = useServers(harbor);
const server = await start({
  'live-publication': PUBLICATION,
  'live-interval': 20,
  'db-pool': 5,
  'db-aggregates-enabled': true,
});

const READS = [
  '/task',
  '/task?team_id=eq.1',
  '/task?state=eq.open&select=id,note',
  '/task?owner=eq.ann',
  '/task?urgent=eq.true',
  '/task?order=id.desc&limit=3',
  '/task?select=id,team(name)&order=id',
  '/team?select=id,task(id,note)&order=id&task.order=id',
  '/totals?order=team_id',
  '/vault',
  '/vault?select=count()',
  '/event',
  '/event?day=eq.3',
];

const OWNING: readonly Viewer[] = OWNERS.map((sub) => ({
  role: harbor.user,
  claims: JSON.stringify({ role: harbor.user, sub }),
}));
const VIEWERS: readonly Viewer[] = [...OWNING, { role: KEEPER, claims: JSON.stringify({ role: KEEPER }) }];
const seen = new SeenRows(VIEWERS);
/** Whether transactions run one after the other, so that it is known what was visible. */
let isSerialized = true;

const watchers: Watcher[] = [];

/** @returns the number of changed rows */
async function write(random: Random): Promise<number> {
  const client = await connect(harbor.adminUri);
  let changes = 0;
  for (let count = 0; count < TRANSACTIONS; count += 1) changes += await writeOnce(client, random);
  await client.end();
  return changes;
}

async function writeOnce(client: Client, random: Random): Promise<number> {
  const isKept = !random.chance(0.1);
  const before = isSerialized ? [`select pg_advisory_xact_lock(${LOCK})`] : [];
  const after = isSerialized ? seen.statements : [];
  const statements = ['begin', ...before, ...randomWrites(random), ...after, isKept ? 'commit' : 'rollback'];
  const results = await query(client, statements);
  if (results === undefined || !isKept) return 0;
  if (isSerialized) seen.record(results);
  const written = results.filter(({ command }) => ['INSERT', 'UPDATE', 'DELETE'].includes(command));
  return written.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
}

/** Undefined if the transaction has failed: without a lock, some keys are inserted twice at once, or wait for each other. */
async function query(client: Client, statements: readonly string[]): Promise<readonly QueryResult[] | undefined> {
  try {
    return (await client.query(statements.join('; '))) as unknown as readonly QueryResult[];
  } catch {
    await client.query('rollback');
    return undefined;
  }
}

async function recordNow(): Promise<void> {
  const client = await connect(harbor.adminUri);
  const results = await client.query(['begin', ...seen.statements, 'commit'].join('; '));
  seen.record(results as unknown as readonly QueryResult[]);
  await client.end();
}

/** Without a change of rows, only a reload tells the server. */
async function changePolicy(round: number): Promise<void> {
  await harbor.sql(`alter policy visible on api.task using (${POLICIES[round % POLICIES.length] ?? ''})`);
  await server.reload();
}

/** Streams that may no longer read the table end with an error, and others go on. */
async function withdrawPrivilege(): Promise<void> {
  await harbor.sql(`revoke select on api.vault from ${harbor.user}`);
  await server.reload();
  const isRefused = ({ path, viewer }: Watcher): boolean => path.startsWith('/vault') && viewer.role === harbor.user;
  const refused = watchers.filter(isRefused);
  await Promise.all(refused.map((watcher) => watcher.endsInError()));
  await harbor.sql(`grant select on api.vault to ${harbor.user}`);
  await server.reload();
  for (const watcher of refused) watchers[watchers.indexOf(watcher)] = await watcher.startAgain();
}

async function disturb(round: number): Promise<void> {
  if (round % 2 === 1) await changePolicy(round >> 1);
  if (round % 3 === 1) await harbor.sql('select pg_terminate_backend(active_pid) from pg_replication_slots');
  if (round % 3 === 2) watchers.push(...(await Promise.all(watchers.splice(0, 5).map((watcher) => watcher.reopen()))));
  if (round % 5 === 3) await withdrawPrivilege();
}

function watch(path: string, viewer: Viewer): Promise<Watcher> {
  const findForeign = (rows: readonly Row[]): readonly unknown[] =>
    isSerialized ? seen.findForeign(viewer, path, rows) : rows.filter((row) => isForeignInVault(path, row, viewer));
  const headers = bearer(JSON.parse(viewer.claims) as Record<string, unknown>);
  return Watcher.open({ port: server.port, path, headers, viewer, findForeign });
}

function isForeignInVault(path: string, { owner }: Row, { claims }: Viewer): boolean {
  return path === '/vault' && !claims.includes(`"${String(owner)}"`);
}

test('B80 watchers of several roles converge, and see nothing else', { timeout: 7_200_000 }, async () => {
  await recordNow();
  for (const viewer of VIEWERS)
    for (const path of READS) for (let count = 0; count < STREAMS; count += 1) watchers.push(await watch(path, viewer));
  let changes = 0;
  for (let round = 0; round < MIN_ROUNDS || changes < CHANGES; round += 1) {
    isSerialized = round % 2 === 0;
    await recordNow();
    const seeds = Array.from({ length: WRITERS }, (_, writer) => SEED * 1_000_000 + round * WRITERS + writer);
    const written = await Promise.all(seeds.map((seed) => write(new Random(seed))));
    changes = written.reduce((sum, count) => sum + count, changes);
    await disturb(round);
    await recordNow();
    for (const watcher of watchers) await watcher.converges();
    if (isLong && round % 20 === 0) console.log(`round ${round}: ${changes} changes`);
  }
  expect(watchers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(watchers.filter(({ changes: received }) => received > 0).length).toBeGreaterThan(READS.length);
});
