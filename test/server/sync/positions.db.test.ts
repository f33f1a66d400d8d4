// Positions of streams in the write-ahead log: what a stream contains (`beyond.md` §6.2).
// cspell:ignore transactionid
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasReached, laterPosition, type LogPosition, parseLogPosition } from '../../../src/contract/log-position.ts';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';
import { type LocalServer, useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from '../live/live-harbor.ts';
import { openList } from './open-list.ts';

const harbor = await useLiveHarbor(
  ({ anon }) => `
  create table api.note (id int primary key, room int, text text);
  create table api.other (id int primary key);
  create table api.hidden (id int primary key);
  create schema private;
  create table private.scratch (id int);
  insert into api.note values (1, 1, 'one');
  grant all on api.note, api.other to ${anon};
  create publication ${PUBLICATION} for table api.note, api.other;
`,
);
const start = useServers(harbor);
const server = await start({ 'live-publication': PUBLICATION, 'live-interval': 20 });

const POSITIONS = { Prefer: 'position' };

function open(path: string, at: LocalServer = server): Promise<EventClient> {
  return openEvents(at.port, path, { headers: POSITIONS });
}

function openReads(paths: readonly string[], at: LocalServer = server): Promise<EventClient> {
  const reads = paths.map((path, index) => ({ id: String(index), path }));
  return openList(at.port, reads, POSITIONS);
}

/** Writes, and returns the position of the write. */
async function write(table: string, row: Readonly<Record<string, unknown>>, at = server): Promise<LogPosition> {
  const { status, headers } = await at.get(`/${table}?on_conflict=id`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: 'position, resolution=merge-duplicates' },
    body: JSON.stringify(row),
  });
  expect([200, 201]).toContain(status);
  return parsePosition(String(headers['svc-lsn']));
}

function parsePosition(text: string): LogPosition {
  const position = parseLogPosition(text);
  if (position === undefined) throw new Error(`no position: ${text}`);
  return position;
}

const positionsOf = ({ events }: EventClient): readonly LogPosition[] =>
  events.flatMap(({ name, data }) => (name === 'position' ? [parsePosition(data)] : []));

function isMonotone(positions: readonly LogPosition[]): boolean {
  return positions.every((position, index) => {
    const before = positions[index - 1] ?? position;
    return laterPosition(before, position) === position || before.lsn === position.lsn;
  });
}

async function reaches(client: EventClient, position: LogPosition): Promise<void> {
  const last = (): LogPosition | undefined => positionsOf(client).at(-1);
  await until(() => hasReached(last() ?? { timeline: 0, lsn: 0n }, position), {
    why: () => `${String(position.lsn)} is not reached by ${client.text}`,
  });
}

/** A transaction that begins with its write, and ends with the test. */
class Writer {
  readonly #client = new Client(harbor.adminUri);
  xid = '';

  async begin(): Promise<void> {
    await this.#client.connect();
    onTestFinished(() => this.#client.end());
    await this.#client.query('begin');
    await this.#client.query('insert into private.scratch values (0)');
    const { rows } = await this.#client.query<{ readonly xid: string }>('select pg_current_xact_id()::text as xid');
    this.xid = rows[0]?.xid ?? '';
  }

  /** Resolves when the log that is being opened waits for it. */
  async isAwaited(): Promise<void> {
    const sql = `select from pg_locks where not granted and transactionid::text = '${this.xid}'`;
    await until(async () => (await harbor.query(sql)).length > 0);
  }

  async commit(): Promise<void> {
    await this.#client.query('commit');
  }
}

describe('one read', () => {
  test('B93b a position comes behind rows and changes, and its events have no id', async () => {
    const client = await open('/note?room=eq.1');
    expect(client.headers['preference-applied']).toBe('position');
    await client.first(2);
    const position = await write('note', { id: 2, room: 1, text: 'two' });
    await until(() => client.events.some(({ name }) => name === 'change'));
    await reaches(client, position);
    const names = client.events.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['rows', 'position']);
    expect(names[names.indexOf('change') + 1]).toBe('position');
    for (const { name, id, data } of client.events) {
      if (name === 'position')
        expect([id, data]).toEqual([undefined, expect.stringMatching(/^1:[\dA-F]+\/[\dA-F]+$/u)]);
    }
    await harbor.sql('delete from api.note where id = 2');
  });

  test('B93c rows and their position are one write', async () => {
    const chunks: string[] = [];
    const sent = request({ port: server.port, path: '/note', headers: { Accept: 'text/event-stream', ...POSITIONS } });
    sent.on('response', (response) => response.setEncoding('utf8').on('data', (text: string) => chunks.push(text)));
    sent.on('error', () => undefined).end();
    await until(() => chunks.join('').includes('event: position'));
    await write('note', { id: 3, room: 2 });
    await until(() => chunks.join('').includes('event: change'));
    const withRows = chunks.filter((chunk) => /^event: (?:rows|change)$/mu.test(chunk));
    expect(withRows.length).toBe(2);
    for (const chunk of withRows)
      expect(chunk).toMatch(/^event: (?:rows|change)\n(?:.+\n)+\nevent: position\ndata: .+\n\n$/u);
    sent.destroy();
    await harbor.sql('delete from api.note where id = 3');
  });

  test('B93d without the preference, nothing changes, and both share a group', async () => {
    const [plain, positioned] = [await openEvents(server.port, '/note?room=eq.7'), await open('/note?room=eq.7')];
    const groups = Number(await server.metric('live_groups'));
    const listed = await openReads(['/note?room=eq.7']);
    await write('note', { id: 70, room: 7 });
    for (const client of [plain, positioned, listed])
      await until(() => client.events.some(({ name }) => name === 'change'));
    expect(await server.metric('live_groups')).toBe(groups);
    expect(plain.events.map(({ name }) => name)).toEqual(['rows', 'change']);
    expect(plain.headers['preference-applied']).toBeUndefined();
    expect(plain.events[1]?.id).toBe(positioned.events.find(({ name }) => name === 'change')?.id);
    await harbor.sql('delete from api.note where id = 70');
  });

  test('B93e while nothing changes, it follows the log, at most once a second', async () => {
    const client = await open('/note?room=eq.404');
    await client.first(2);
    const times: number[] = [];
    let seen = positionsOf(client).length;
    const begun = performance.now();
    for (let id = 1; performance.now() - begun < 4500; id += 1) {
      await harbor.sql(`insert into api.hidden values (${id})`);
      if (positionsOf(client).length > seen) times.push(performance.now());
      seen = positionsOf(client).length;
      await sleep(20);
    }
    expect(times.length).toBeGreaterThanOrEqual(3);
    // The first one may come soon after the rows.
    expect(times.length).toBeLessThanOrEqual(6);
    const position = await write('other', { id: 1 });
    await reaches(client, position);
    expect(client.events.filter(({ name }) => name !== 'position').length).toBe(1);
    expect(isMonotone(positionsOf(client))).toBe(true);
    await harbor.sql('delete from api.hidden');
  });

  test('B93f a log that does not advance causes no events', async () => {
    const client = await open('/note?room=eq.404');
    await client.first(2);
    await harbor.sql('checkpoint');
    await sleep(1500);
    const before = client.events.length;
    await sleep(2500);
    const received = positionsOf(client);
    // The server itself writes to the log now and then.
    expect(client.events.length - before).toBeLessThanOrEqual(1);
    expect(new Set(received.map(({ lsn }) => lsn)).size).toBe(received.length);
  });

  test('B93g a client that resumes without having missed anything gets a position', async () => {
    const first = await open('/note?room=eq.1');
    const [rows] = await first.first(2);
    const headers = { ...POSITIONS, 'Last-Event-ID': rows?.id ?? '' };
    const again = await openEvents(server.port, '/note?room=eq.1', { headers });
    await reaches(again, await write('other', { id: 2 }));
    expect(again.events.every(({ name }) => name === 'position')).toBe(true);
  });
});

test('B93n the position behind a change covers the write that caused it', async () => {
  const client = await open('/note?room=eq.60');
  await client.first(2);
  const covered: boolean[] = [];
  for (let count = 1; count <= 5; count += 1) {
    const seen = client.events.length;
    const position = await write('note', { id: 60, room: 60, text: String(count) });
    const find = (): number => client.events.findIndex(({ name }, index) => index >= seen && name === 'change');
    await until(() => find() >= 0);
    covered.push(hasReached(parsePosition(client.events[find() + 1]?.data ?? ''), position));
  }
  // Other processes of the database rarely write to the log between a commit and the query for its position.
  expect(covered.filter(Boolean).length).toBeGreaterThanOrEqual(3);
  await harbor.sql('delete from api.note where id = 60');
});

describe('a list', () => {
  test('B93h there is none before the first rows of every read', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'live-interval': 20 });
    await harbor.sql(`create function api.slow() returns setof api.other language plpgsql stable as $$ begin
        perform pg_sleep(1.5); return query select * from api.other; end $$;
      notify pgrst`);
    await own.reload();
    const client = await openReads(['/note?room=eq.1', '/rpc/slow'], own);
    await until(() => client.events.some(({ data }) => data.includes('"id":"0"')));
    await write('note', { id: 9, room: 1 }, own);
    await until(() => positionsOf(client).length > 0);
    const names = client.events.map(({ name }) => name);
    expect(names.indexOf('position')).toBe(client.events.findIndex(({ data }) => data.startsWith('{"id":"1"')) + 1);
    expect(names.slice(0, names.indexOf('position')).filter((name) => name === 'rows').length).toBe(2);
    await harbor.sql('delete from api.note where id = 9; drop function api.slow');
  });

  test('B93i a read that has ended no longer counts', async () => {
    const client = await openReads(['/nothing', '/note?room=eq.1', '/other?id=gt.100']);
    await reaches(client, await write('other', { id: 3 }));
    expect(client.headers['preference-applied']).toBe('position');
  });

  test('B93j it is the earliest of all reads, and a write that it covers is contained', async () => {
    const client = await openReads([
      '/note?room=eq.20',
      '/note?id=gte.200&select=id',
      '/other',
      '/note?order=id&limit=500',
    ]);
    await until(() => positionsOf(client).length > 0);
    const written: { readonly id: number; readonly position: LogPosition }[] = [];
    const writers = [0, 1, 2].map(async (writer) => {
      for (let count = 0; count < 40; count += 1) {
        const id = 200 + 3 * count + writer;
        const position = await write('note', { id, room: 20, text: 'x' });
        written.push({ id, position });
      }
    });
    await Promise.all(writers);
    for (const { position } of written) await reaches(client, position);
    const has: ReadonlySet<number>[] = [];
    const rows = ['0', '1', '3'].map(() => new Set<number>());
    has.push(...rows);
    const missing: string[] = [];
    for (const { name, data } of client.events) {
      if (name === 'position') {
        const reached = parsePosition(data);
        for (const { id, position } of written)
          if (hasReached(reached, position) && !has.every((ids) => ids.has(id))) missing.push(`${id} at ${data}`);
        continue;
      }
      const event = JSON.parse(data) as { id: string; rows?: { id: number }[]; upsert?: { id: number }[] };
      const ids = rows[['0', '1', '3'].indexOf(event.id)];
      for (const { id } of event.rows ?? event.upsert ?? []) ids?.add(id);
    }
    expect(missing).toEqual([]);
    expect(isMonotone(positionsOf(client))).toBe(true);
    await harbor.sql('delete from api.note where id >= 200');
  });
});

describe('the log', () => {
  test('B93k after a lost connection, positions go on when everything has been read again', async () => {
    const client = await openReads(['/note?room=eq.30', '/other?id=gte.30']);
    await until(() => positionsOf(client).length > 0);
    await harbor.sql(`select pg_terminate_backend(active_pid) from pg_replication_slots`);
    const position = await write('note', { id: 30, room: 30 });
    await reaches(client, position);
    const at = client.events.findIndex(
      ({ name, data }) => name === 'position' && hasReached(parsePosition(data), position),
    );
    expect(client.events.slice(0, at).some(({ data }) => data.includes('"room":30'))).toBe(true);
    expect(isMonotone(positionsOf(client))).toBe(true);
    await harbor.sql('delete from api.note where id = 30');
  });

  test('B93o positions begin when the log has reported all transactions that ran when it began', async () => {
    const own = await start({ 'live-publication': PUBLICATION });
    const [first, second, third] = [new Writer(), new Writer(), new Writer()];
    await first.begin();
    const opened = openReads(['/note?room=eq.80', '/note?room=eq.81'], own);
    // The log begins while a transaction is under way that it has not waited for.
    await first.isAwaited();
    await second.begin();
    await first.commit();
    await second.isAwaited();
    await third.begin();
    // Snapshots name a transaction as running if a later one has ended.
    await harbor.sql('insert into private.scratch values (0)');
    await second.commit();
    const client = await opened;
    expect((await client.first(2)).map(({ name }) => name)).toEqual(['rows', 'rows']);
    await third.commit();
    await reaches(client, await write('note', { id: 80, room: 82 }, own));
    await harbor.sql('delete from api.note where id = 80');
  });

  test('B93m workers report positions, each for its own streams', async () => {
    const own = await start({ 'live-publication': PUBLICATION, 'server-workers': 2 });
    const all = [
      await open('/note?room=eq.50', own),
      await open('/note?room=eq.50', own),
      await openReads(['/note?room=eq.51', '/other?id=gt.100'], own),
      await openReads(['/note?room=eq.51', '/other?id=gt.100'], own),
    ];
    const first = await write('note', { id: 50, room: 50 }, own);
    const second = await write('other', { id: 5 }, own);
    for (const client of all) {
      await reaches(client, first);
      await reaches(client, second);
      expect(isMonotone(positionsOf(client))).toBe(true);
    }
    for (const client of all.slice(0, 2)) expect(client.text).toContain('"room":50');
    await harbor.sql('delete from api.note where id = 50');
  });
});
