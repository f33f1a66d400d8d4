// Random writes with lists of reads: after each quiet point every read has what a GET returns, and no position has claimed
// more than the list contained (`beyond.md` §6.2). `ROWHOUSE_CHANGES` sets the number of statements that write,
// `ROWHOUSE_SEED` the random numbers.
import { expect, test } from 'vitest';
import { hasReached, laterPosition, type LogPosition, parseLogPosition } from '../../../src/contract/log-position.ts';
import type { EventClient } from '../../support/event-client.ts';
import { Random } from '../../support/generate/random.ts';
import { isLong } from '../../support/long-form.ts';
import { until } from '../../support/until.ts';
import { bearer, useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from '../live/live-harbor.ts';
import { openList } from './open-list.ts';
import { Client } from 'pg';

const CHANGES = Number(process.env['ROWHOUSE_CHANGES'] ?? (isLong ? 60_000 : 720));
const SEED = Number(process.env['ROWHOUSE_SEED'] ?? 1);
const WRITERS = 3;
/** Transactions of a writer in a round. */
const TRANSACTIONS = isLong ? 200 : 10;
const LISTS = isLong ? 50 : 6;
const READS_PER_LIST = 5;
const TASKS = 30;

const auditor = (user: string): string => `${user}_auditor`;

const harbor = await useLiveHarbor(
  ({ login, anon, user }) => `
  create table api.team (id int primary key, name text);
  create table api.member (team_id int, who text, primary key (team_id, who));
  create table api.task (id int primary key, team_id int references api.team, state text, note text);
  -- What each writer has committed: both columns grow.
  create table api.tick (id int primary key, number int);
  insert into api.team select n, 'team ' || n from generate_series(1, 3) n;
  insert into api.member values (1, 'ann'), (2, 'bob');
  insert into api.tick select n, 0 from generate_series(0, ${WRITERS - 1}) n;
  alter table api.task enable row level security;
  create role ${auditor(user)};
  grant usage on schema api to ${anon}, ${auditor(user)};
  grant ${auditor(user)} to ${login};
  create policy open on api.task to ${anon} using (state = 'open');
  create policy all_tasks on api.task to ${auditor(user)} using (true);
  create policy visible on api.task to ${user} using (exists (select from api.member m where m.team_id = task.team_id
    and m.who = current_setting('request.jwt.claims', true)::json ->> 'sub'));
  create view api.totals with (security_invoker) as select team_id, count(*) as count from api.task group by team_id;
  grant select on all tables in schema api to ${anon}, ${user}, ${auditor(user)};
  create publication ${PUBLICATION} for all tables;
`,
);
const start = useServers(harbor);
const server = await start({ 'live-publication': PUBLICATION, 'live-interval': 20, 'db-pool': 5 });

const READERS: readonly Readonly<Record<string, string>>[] = [
  { role: harbor.user, sub: 'ann' },
  { role: harbor.user, sub: 'bob' },
  { role: harbor.anon },
  { role: auditor(harbor.user) },
];

/** By their ids. The first two show what is committed, read by key and as a whole: they are in each list. */
const READS: Readonly<Record<string, string>> = {
  ticks: '/tick',
  'all ticks': '/tick?order=id&limit=100',
  tasks: '/task',
  open: '/task?state=eq.open&select=id,note',
  team: '/task?team_id=eq.1',
  first: '/task?order=id.desc&limit=3',
  embedded: '/team?select=id,task(id,note)&order=id&task.order=id',
  totals: '/totals?order=team_id',
};
const TICKS = ['ticks', 'all ticks'];

type Row = Readonly<Record<string, unknown>>;
type Ticks = ReadonlyMap<number, number>;

interface Commit {
  readonly writer: number;
  readonly number: number;
  /** At or behind the end of the commit. */
  readonly position: LogPosition;
}

/** Of this round, and the last one before it of each writer. */
let commits: Commit[] = [];

function parsePosition(text: string): LogPosition {
  const position = parseLogPosition(text);
  if (position === undefined) throw new Error(`no position: ${text}`);
  return position;
}

/** A client that applies the events of a list. */
class ListWatcher {
  readonly faults: string[] = [];
  positions = 0;
  changes = 0;
  readonly #claims: Readonly<Record<string, string>>;
  readonly #ids: readonly string[];
  #client: EventClient;
  #rows: Map<string, readonly Row[]> = new Map();
  readonly #lastIds: Map<string, string> = new Map();
  #latest: LogPosition | undefined;
  /** Positions with what the list contained then, which is checked when all commits are known. */
  #reached: { readonly position: LogPosition; readonly ticks: readonly Ticks[] }[] = [];

  private constructor(claims: Readonly<Record<string, string>>, ids: readonly string[], client: EventClient) {
    this.#claims = claims;
    this.#ids = ids;
    this.#client = client;
  }

  static async open(claims: Readonly<Record<string, string>>, ids: readonly string[]): Promise<ListWatcher> {
    return new ListWatcher(claims, ids, await connect(claims, ids, new Map()));
  }

  /** Opens the list again with the ids of the last events, then closes the old stream. */
  async reopen(): Promise<void> {
    this.apply();
    const next = await connect(this.#claims, this.#ids, this.#lastIds);
    this.#client.close();
    this.#client = next;
    this.#latest = undefined;
  }

  apply(): void {
    const { events, end, text } = this.#client;
    if (end !== undefined) this.faults.push(`the stream has ended: ${text.slice(-300)}`);
    this.#client.text = '';
    for (const { name, data } of events.splice(0)) {
      if (name === 'position') this.#claim(parsePosition(data));
      else this.#applyEvent(name, JSON.parse(data) as Row);
    }
  }

  #applyEvent(name: string, event: Row): void {
    const id = String(event['id']);
    const {
      eventId,
      rows,
      upsert,
      delete: deleted,
    } = event as {
      eventId?: string;
      rows?: Row[];
      upsert?: Row[];
      delete?: Row[];
    };
    if (eventId !== undefined) this.#lastIds.set(id, eventId);
    this.changes += 1;
    if (name === 'reset') this.#rows.delete(id);
    else if (name === 'rows') this.#rows.set(id, rows ?? []);
    else if (name === 'change') {
      const before = this.#rows.get(id);
      if (before === undefined) this.faults.push(`a change of ${id} before its rows`);
      const gone = new Set([...(upsert ?? []), ...(deleted ?? [])].map((row) => row['id']));
      this.#rows.set(id, [...(before ?? []).filter((row) => !gone.has(row['id'])), ...(upsert ?? [])]);
    } else this.faults.push(`${name}: ${JSON.stringify(event)}`);
  }

  #claim(position: LogPosition): void {
    this.positions += 1;
    const before = this.#latest ?? position;
    const isLater = laterPosition(before, position).lsn === position.lsn;
    if (!isLater) this.faults.push(`the position goes back to ${position.lsn}`);
    this.#latest = position;
    const missing = this.#ids.filter((id) => !this.#rows.has(id));
    if (missing.length > 0) this.faults.push(`a position before the rows of ${missing.join()}`);
    const ticks = TICKS.map(
      (id) => new Map((this.#rows.get(id) ?? []).map((row) => [Number(row['id']), Number(row['number'])])),
    );
    this.#reached.push({ position, ticks });
  }

  /** Call when all commits are known. */
  checkClaims(): void {
    for (const { position, ticks } of this.#reached)
      for (const commit of commits)
        if (
          hasReached(position, commit.position) &&
          ticks.some((own) => (own.get(commit.writer) ?? -1) < commit.number)
        )
          this.faults.push(
            `${position.lsn} lacks commit ${commit.number} of writer ${commit.writer} at ${commit.position.lsn}`,
          );
    this.#reached = [];
  }

  async converges(end: LogPosition): Promise<void> {
    let difference = '';
    await until(
      async () => {
        this.apply();
        for (const id of this.#ids) {
          const [own, expected] = [sorted(this.#rows.get(id) ?? []), sorted(await read(READS[id] ?? '', this.#claims))];
          difference = `${id} of ${JSON.stringify(this.#claims)}: ${own} instead of ${expected}`;
          if (own !== expected) return false;
        }
        difference = `${end.lsn} is not reached`;
        return this.#latest !== undefined && hasReached(this.#latest, end);
      },
      { seconds: 60, why: () => [difference, ...this.faults].join('\n') },
    );
  }

  close(): void {
    this.#client.close();
  }
}

function connect(
  claims: Readonly<Record<string, string>>,
  ids: readonly string[],
  lastIds: ReadonlyMap<string, string>,
): Promise<EventClient> {
  const reads = ids.map((id) => ({ id, path: READS[id], lastEventId: lastIds.get(id) }));
  return openList(server.port, reads, { ...bearer(claims), Prefer: 'position' });
}

async function read(path: string, claims: Readonly<Record<string, string>>): Promise<readonly Row[]> {
  const { text } = await server.get(path, { headers: bearer(claims) });
  return JSON.parse(text) as Row[];
}

function sorted(rows: readonly Row[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join('\n');
}

function randomStatement(random: Random): string {
  const id = random.roll(TASKS);
  const team = 1 + random.roll(3);
  const state = random.chance(0.5) ? 'open' : 'done';
  switch (random.roll(8)) {
    case 0:
      return `delete from api.task where id = ${id}`;
    case 1:
      return `update api.task set state = '${state}' where team_id = ${team}`;
    case 2:
      return `insert into api.member values (${team}, 'ann') on conflict do nothing`;
    case 3:
      return `delete from api.member where team_id = ${team} and who = 'bob'`;
    case 4:
      return `update api.task set team_id = ${team} where id = ${id}`;
    default:
      return `insert into api.task values (${id}, ${team}, '${state}', md5(random()::text))
        on conflict (id) do update set note = excluded.note, state = excluded.state`;
  }
}

const numbers = Array.from({ length: WRITERS }, () => 0);

/** @returns number of committed statements */
async function write(writer: number, random: Random): Promise<number> {
  let written = 0;
  const client = new Client(harbor.adminUri);
  await client.connect();
  for (let count = 0; count < TRANSACTIONS; count += 1) {
    const number = (numbers[writer] ?? 0) + 1;
    const statements = Array.from({ length: 1 + random.roll(3) }, () => randomStatement(random));
    const isKept = !random.chance(0.1);
    const tick = `update api.tick set number = ${number} where id = ${writer}`;
    try {
      await client.query(['begin', tick, ...statements, isKept ? 'commit' : 'rollback'].join('; '));
    } catch {
      // Two of them wait for each other.
      await client.query('rollback');
      continue;
    }
    if (!isKept) continue;
    numbers[writer] = number;
    written += 1 + statements.length;
    const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
    commits.push({ writer, number, position: parsePosition(`1:${rows[0]?.lsn ?? ''}`) });
  }
  await client.end();
  return written;
}

async function readEnd(): Promise<LogPosition> {
  const [[lsn] = []] = await harbor.query('select pg_current_wal_insert_lsn()::text');
  return parsePosition(`1:${String(lsn)}`);
}

test('B91d B93l lists converge under random writes, and every position is honest', { timeout: 7_200_000 }, async () => {
  const random = new Random(SEED);
  const watchers: ListWatcher[] = [];
  const others = Object.keys(READS).filter((id) => !TICKS.includes(id));
  for (let count = 0; count < LISTS; count += 1) {
    const ids = new Set(TICKS);
    while (ids.size < READS_PER_LIST) ids.add(random.pick(others));
    watchers.push(await ListWatcher.open(READERS[count % READERS.length] ?? {}, [...ids]));
  }
  let changes = 0;
  for (let round = 0; changes < CHANGES; round += 1) {
    const writing = numbers.map((_, writer) => write(writer, new Random(SEED * 1_000_000 + round * WRITERS + writer)));
    if (round % 3 === 1) await harbor.sql('select pg_terminate_backend(active_pid) from pg_replication_slots');
    if (round % 3 === 2) for (const watcher of watchers.slice(0, 3)) await watcher.reopen();
    if (round % 4 === 3) await server.reload();
    for (const written of await Promise.all(writing)) changes += written;
    const end = await readEnd();
    for (const watcher of watchers) {
      await watcher.converges(end);
      watcher.checkClaims();
    }
    commits = numbers.flatMap((_, writer) => commits.findLast((commit) => commit.writer === writer) ?? []);
  }
  expect(watchers.flatMap(({ faults }) => faults)).toEqual([]);
  for (const { positions, changes } of watchers) expect([positions > 10, changes > 10]).toEqual([true, true]);
});
