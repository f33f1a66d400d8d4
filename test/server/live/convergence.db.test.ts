// Random writes with watchers of several roles: after each quiet point, every watcher has what a GET of its own returns,
// and none has ever received a row that its role could not see (`beyond.md` §3.1b).
import { afterAll, expect, test } from 'vitest';
import { isLong } from '../../support/long-form.ts';
import { Client } from 'pg';
import { bearer } from '../support/local-server.ts';
import { useServers } from '../support/use-servers.ts';
import { PUBLICATION, useLiveHarbor } from './live-harbor.ts';
import { Watcher } from './watcher.ts';

const ROUNDS = isLong ? 60 : 3;
const WRITES = isLong ? 60 : 15;
const WRITERS = 3;
const SEED = Number(process.env['ROWHOUSE_SEED'] ?? 1);
const OWNERS = ['ann', 'bob', 'cyd'];

const TEAM_MATES = `exists (select from api.member m where m.team_id = task.team_id
  and m.who = current_setting('request.jwt.claims', true)::json ->> 'sub')`;
const OWN = `owner = current_setting('request.jwt.claims', true)::json ->> 'sub'`;
/** Who sees a task, in turn. */
const POLICIES = [`${OWN} or ${TEAM_MATES}`, OWN, `${TEAM_MATES} and state = 'open'`];

const harbor = await useLiveHarbor(
  ({ user }) => `
  create table api.team (id int primary key, name text);
  create table api.member (team_id int references api.team, who text, primary key (team_id, who));
  create table api.task (id int primary key, team_id int references api.team, owner text, state text, note text);
  create table api.event (id int, day int, note text, primary key (id, day)) partition by range (day);
  create table api.event_1 partition of api.event for values from (0) to (5);
  create table api.event_2 partition of api.event for values from (5) to (10);
  insert into api.team select n, 'team ' || n from generate_series(1, 3) n;
  alter table api.task enable row level security;
  create policy visible on api.task using (${POLICIES[0] ?? ''});
  -- Rows of different owners have different keys and notes, and never change hands.
  create table api.vault (id int primary key, owner text, note text);
  alter table api.vault enable row level security;
  create policy own on api.vault using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
  create view api.totals with (security_invoker) as select team_id, count(*) as count from api.task group by team_id;
  grant select on all tables in schema api to ${user};
  create publication ${PUBLICATION} for all tables;
`,
);
const start = useServers(harbor, 'file');
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
  '/task?order=id.desc&limit=3',
  '/task?select=id,team(name)&order=id',
  '/team?select=id,task(id,note)&order=id&task.order=id',
  '/totals?order=team_id',
  '/vault',
  '/vault?select=count()',
  '/event',
  '/event?day=eq.3',
];

const watchers: Watcher[] = [];
afterAll(() => watchers.forEach((watcher) => watcher.close()));

/** A generator whose numbers are the same in every run of the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

function randomWrite(random: (below: number) => number): string {
  const [id, team, owner] = [random(30), 1 + random(3), OWNERS[random(3)] ?? ''];
  const state = ['open', 'done'][random(2)] ?? '';
  const vault = OWNERS.indexOf(owner) * 1000 + id;
  switch (random(14)) {
    case 10:
      return `insert into api.vault values (${vault}, '${owner}', 'of ${owner} ${random(99)}')
        on conflict (id) do update set note = excluded.note`;
    case 11:
      return `delete from api.vault where id % 1000 = ${id}`;
    case 12:
      return `update api.task set id = id + 30 where id = ${id} and not exists (select from api.task o where o.id = ${id} + 30)`;
    case 13:
      return random(9) === 0
        ? 'truncate api.task'
        : `update api.team set name = 'team ${random(99)}' where id = ${team}`;
    case 0:
    case 1:
    case 2:
      return `insert into api.task values (${id}, ${team}, '${owner}', '${state}', 'n${random(99)}')
        on conflict (id) do update set team_id = excluded.team_id, owner = excluded.owner, note = excluded.note`;
    case 3:
      return `update api.task set state = '${state}', note = 'm${random(99)}' where id % 5 = ${random(5)}`;
    case 4:
      return `delete from api.task where id % 7 = ${random(7)}`;
    case 5:
      return `insert into api.member values (${team}, '${owner}') on conflict do nothing`;
    case 6:
      return `delete from api.member where who = '${owner}' and team_id = ${team}`;
    case 7:
      return `insert into api.event values (${id}, ${random(10)}, 'e') on conflict (id, day) do update set note = 'f${random(99)}'`;
    case 8:
      return `update api.event set day = ${random(10)} where id = ${id} and not exists (select from api.event o where o.id = ${id} and o.day <> event.day)`;
    default:
      return random(6) === 0 ? 'truncate api.event_1' : `delete from api.event where day = ${random(10)}`;
  }
}

async function write(seed: number): Promise<void> {
  const client = new Client(harbor.adminUri);
  await client.connect();
  const random = randomOf(seed);
  for (let count = 0; count < WRITES; count += 1) {
    const statements = Array.from({ length: 1 + random(3) }, () => randomWrite(random));
    const end = random(8) === 0 ? 'rollback' : 'commit';
    await client.query(`begin; ${statements.join('; ')}; ${end}`).catch(() => client.query('rollback'));
  }
  await client.end();
}

/** Without a change of rows, only a reload tells the server. */
async function changePolicy(round: number): Promise<void> {
  await harbor.sql(`alter policy visible on api.task using (${POLICIES[round % POLICIES.length] ?? ''})`);
  await server.reload();
}

/** Recognizes notes and keys in the vault that only others may see. */
function foreignTo(sub: string, path: string): (data: string) => boolean {
  const own = OWNERS.indexOf(sub);
  const isForeignKey = ([, id]: RegExpMatchArray): boolean => Math.floor(Number(id) / 1000) !== own;
  return (data) =>
    path === '/vault' &&
    (OWNERS.some((owner) => owner !== sub && data.includes(`of ${owner} `)) ||
      [...data.matchAll(/"id": ?(\d+)/gu)].some(isForeignKey));
}

function watch(path: string, sub: string): Promise<Watcher> {
  const headers = bearer({ role: harbor.user, sub });
  return Watcher.open({ port: server.port, path, headers, foreign: foreignTo(sub, path) });
}

test('B80 watchers of several roles converge, and see nothing else', { timeout: 900_000 }, async () => {
  for (const sub of OWNERS) for (const path of READS) watchers.push(await watch(path, sub));
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(SEED + round * WRITERS + writer)));
    if (round % 2 === 1) await changePolicy(round);
    if (round % 3 === 1) await harbor.sql('select pg_terminate_backend(active_pid) from pg_replication_slots');
    if (round % 3 === 2)
      watchers.push(...(await Promise.all(watchers.splice(0, 5).map((watcher) => watcher.reopen()))));
    for (const watcher of watchers) await watcher.converges();
  }
  expect(watchers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(watchers.filter(({ changes }) => changes > 0).length).toBeGreaterThan(READS.length);
});
