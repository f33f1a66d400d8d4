// Writes that return rows as they were and as they are (`Prefer: return=changes`, `beyond.md` §5.1).
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { useHarbor } from '../../support/harbor.ts';
import {
  type Answer,
  bearer,
  type LocalServer,
  post,
  type RequestParts,
  useServers,
} from '../../support/local-server.ts';
import { connect } from '../../support/database.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

const SETUP = `
  drop schema if exists yard cascade;
  create schema yard;
  create type yard.size as (w int, h int);
  create table yard.crate (id int primary key, name text unique, weight numeric(8,2) default 1.50, data jsonb, marks text[],
    box yard.size, seen timestamptz);
  insert into yard.crate values (1, 'a', 10, '{"k": 1}', '{x}', '(1,2)', '2020-01-01Z'), (2, 'b', 20, null, null, null, null), (3, null, null, null, null, null, null);
  create function yard.label(yard.crate) returns text language sql stable as $$ select $1.id || ':' || coalesce($1.name, '-') $$;
  create table yard.bag (name text, size int);
  create table yard.plain (id int primary key, weight numeric);
  insert into yard.plain values (1, 10);
  insert into yard.bag values ('p', 1), ('q', 2);
  create table yard.item (id int primary key, crate int references yard.crate on delete cascade);
  create view yard.crate_view as select id as no, name as label from yard.crate;
  create function yard.skip() returns trigger language plpgsql as $$ begin
    if new.name = 'dropped' then return null; end if; return new; end $$;
  create trigger skip before insert or update on yard.crate for each row execute function yard.skip();
  grant usage on schema yard to ${harbor.anon};
  grant all on all tables in schema yard to ${harbor.anon};
`;

let server: LocalServer;

beforeEach(async () => {
  await harbor.sql(SETUP);
  server = await start({ 'db-schemas': 'yard', 'db-aggregates-enabled': true });
});

type Write = RequestParts & { readonly prefer?: string };

async function write(target: string, { prefer = '', ...parts }: Write): Promise<Answer> {
  const Prefer = prefer === '' ? 'return=changes' : `return=changes, ${prefer}`;
  return server.get(target, { ...parts, headers: { Prefer, ...parts.headers } });
}

async function changes(target: string, parts: Write): Promise<readonly unknown[]> {
  const { status, text, headers } = await write(target, parts);
  expect(headers['preference-applied'] ?? text).toMatch(/return=changes/u);
  return [status, JSON.parse(text)];
}

const patch = (value: unknown): RequestParts => ({ ...post(value), method: 'PATCH' });
const MERGE = 'resolution=merge-duplicates';

test('B86 PATCH returns each row as it was and as it is, also with equal values', async () => {
  expect(await changes('/crate?id=lt.3&select=id,weight&order=id.desc', patch({ weight: 20 }))).toEqual([
    200,
    [
      { old: { id: 2, weight: 20 }, new: { id: 2, weight: 20 } },
      { old: { id: 1, weight: 10 }, new: { id: 1, weight: 20 } },
    ],
  ]);
  expect(await changes('/crate?id=eq.9', patch({ weight: 20 }))).toEqual([200, []]);
});

test('B86 every form of select applies to both rows', async () => {
  const select = 'nr:id,data->k,k:data->>k,weight::text,label,marks,box->w';
  expect(await changes(`/crate?id=eq.1&select=${select}`, patch({ data: { k: 2 }, name: 'z', marks: ['y'] }))).toEqual([
    200,
    [
      {
        old: { nr: 1, k: '1', weight: '10.00', label: '1:a', marks: ['x'], w: 1 },
        new: { nr: 1, k: '2', weight: '10.00', label: '1:z', marks: ['y'], w: 1 },
      },
    ],
  ]);
  const [, all] = await changes('/crate?id=eq.1', patch({ name: 'y' }));
  expect(all).toEqual([
    { old: expect.objectContaining({ id: 1, name: 'z' }), new: expect.objectContaining({ id: 1, name: 'y' }) },
  ]);
});

test('B86 DELETE has no new row and sorts by the old one', async () => {
  expect(await changes('/crate?id=lt.3&select=id&order=name.desc', { method: 'DELETE' })).toEqual([
    200,
    [
      { old: { id: 2 }, new: null },
      { old: { id: 1 }, new: null },
    ],
  ]);
});

test('B86 an upsert has the old row where it merges, in the order of the body', async () => {
  const rows = [
    { id: 7, name: 'n' },
    { id: 2, name: 'changed' },
    { id: 8, name: 'dropped' },
    { id: 3, name: 'was null' },
  ];
  const target = '/crate?select=id,name,weight,seen,box,marks,data';
  const others = { weight: null, seen: null, box: null, marks: null, data: null };
  expect(await changes(target, { ...post(rows), prefer: MERGE })).toEqual([
    201,
    [
      { old: null, new: { ...others, id: 7, name: 'n', weight: 1.5 } },
      { old: { ...others, id: 2, name: 'b', weight: 20 }, new: { ...others, id: 2, name: 'changed', weight: 20 } },
      { old: { ...others, id: 3, name: null }, new: { ...others, id: 3, name: 'was null' } },
    ],
  ]);
  const stored = { weight: 10, seen: '2020-01-01T00:00:00+00:00', box: { w: 1, h: 2 }, marks: ['x'], data: { k: 1 } };
  expect(await changes(target, { ...post({ id: 1, name: 'a' }), prefer: MERGE })).toEqual([
    200,
    [{ old: { ...stored, id: 1, name: 'a' }, new: { ...stored, id: 1, name: 'a' } }],
  ]);
  const dropped = { id: 8, name: 'dropped' };
  expect(await changes('/crate?select=label', { ...post([dropped, { id: 1, name: 'c' }]), prefer: MERGE })).toEqual([
    200,
    [{ old: { label: '1:a' }, new: { label: '1:c' } }],
  ]);
  expect(await changes('/bag', { ...post({ name: 'r' }), prefer: MERGE })).toEqual([
    201,
    [{ old: null, new: { name: 'r', size: null } }],
  ]);
});

test('B86 PUT returns the one pair', async () => {
  const put = (value: unknown): RequestParts => ({ ...post(value), method: 'PUT' });
  const row = { id: 5, name: 'e', weight: 5, data: null, marks: null, box: null, seen: null };
  expect(await changes('/crate?id=eq.5&select=name', put(row))).toEqual([201, [{ old: null, new: { name: 'e' } }]]);
  expect(await changes('/crate?id=eq.5&select=name', put({ ...row, name: 'f' }))).toEqual([
    200,
    [{ old: { name: 'e' }, new: { name: 'f' } }],
  ]);
});

test('B86b elements that find their rows have the order of the body, and views work', async () => {
  const rows = [
    { id: 2, weight: 2 },
    { id: 9, weight: 9 },
    { id: 1, weight: 1 },
  ];
  expect(await changes('/crate?match=id&select=id,weight', patch(rows))).toEqual([
    200,
    [
      { old: { id: 2, weight: 20 }, new: { id: 2, weight: 2 } },
      { old: { id: 1, weight: 10 }, new: { id: 1, weight: 1 } },
    ],
  ]);
  expect(await changes('/crate_view?no=eq.1', patch({ label: 'v' }))).toEqual([
    200,
    [{ old: { no: 1, label: 'a' }, new: { no: 1, label: 'v' } }],
  ]);
});

test('B86c CSV has JSON text, an object is the one pair, and inserted has no effect', async () => {
  const csv = await write('/crate?id=eq.1&select=id', {
    ...patch({ name: 'c' }),
    headers: { Accept: 'text/csv', 'Content-Type': 'application/json' },
  });
  expect(csv.text.split(/\r?\n/u)).toEqual(['old,new', '"{""id"":1}","{""id"":1}"']);
  const removed = await write('/crate?id=eq.3&select=id', { method: 'DELETE', headers: { Accept: 'text/csv' } });
  expect(removed.text.split(/\r?\n/u)).toEqual(['old,new', '"{""id"":3}",']);
  const Accept = 'application/vnd.svc.object+json';
  const one = await write('/crate?id=eq.1&select=name', {
    ...patch({ name: 'd' }),
    headers: { Accept, 'Content-Type': 'application/json' },
  });
  expect(JSON.parse(one.text)).toEqual({ old: { name: 'c' }, new: { name: 'd' } });
  const upsert = await write('/crate?select=id', { ...post({ id: 1 }), prefer: `${MERGE}, inserted=true` });
  expect([JSON.parse(upsert.text), upsert.headers['preference-applied']]).toEqual([
    [{ old: { id: 1 }, new: { id: 1 } }],
    'resolution=merge-duplicates, return=changes',
  ]);
});

test('B86d embeds and aggregates are refused, and other requests ignore the preference', async () => {
  const refused = async (target: string, parts: Write): Promise<unknown> => {
    const { status, text } = await write(target, parts);
    return [status, (JSON.parse(text) as { code: string }).code];
  };
  expect(await refused('/crate?id=eq.1&select=id,item(id)', patch({ name: 'c' }))).toEqual([400, 'SVC127']);
  expect(await refused('/crate?id=eq.1&select=id.count()', patch({ name: 'c' }))).toEqual([400, 'SVC127']);
  const plain = await write('/crate', post({ id: 6 }));
  expect([plain.status, plain.text, plain.headers['preference-applied']]).toEqual([201, '', undefined]);
  const read = await write('/crate?id=eq.1&select=id', {});
  expect([read.text, read.headers['preference-applied']]).toEqual(['[{"id":1}]', undefined]);
  const off = await start({ 'db-schemas': 'yard', extensions: 'none' });
  const before = await off.get('/crate?id=eq.1', {
    ...patch({ name: 'c' }),
    headers: { 'Content-Type': 'application/json', Prefer: 'return=changes' },
  });
  expect([before.status, before.headers['preference-applied']]).toEqual([204, undefined]);
});

test('B86e only the columns that are shown need a privilege', async () => {
  await harbor.sql(
    `revoke select on yard.crate from ${harbor.anon}; grant select (id, name, weight) on yard.crate to ${harbor.anon}`,
  );
  await server.reload();
  for (const parts of [patch({ weight: 3 }), { method: 'DELETE' }])
    expect(await changes('/crate?id=eq.1&select=name', parts)).toMatchObject([200, [{ old: { name: 'a' } }]]);
  expect(await changes('/crate?select=name', { ...post({ id: 2, weight: 1 }), prefer: MERGE })).toMatchObject([
    200,
    [{ old: { name: 'b' } }],
  ]);
  await harbor.sql(
    `grant usage on schema yard to ${harbor.user}; grant select (name), update (weight) on yard.crate to ${harbor.user}`,
  );
  const headers = { ...bearer({ role: harbor.user }), 'Content-Type': 'application/json' };
  const { status, text } = await write('/crate?name=eq.b&select=name', { ...patch({ weight: 3 }), headers });
  expect([status, JSON.parse(text)]).toMatchObject([
    403,
    { hint: `GRANT SELECT (id), UPDATE (weight) ON yard.crate TO ${harbor.user}` },
  ]);
});

describe('B86f old is the row that was overwritten', () => {
  test.each<[string, string, () => Write]>([
    ['by PATCH', '/crate?id=eq.1&select=weight', () => patch({ weight: 5 })],
    ['by PATCH without triggers', '/plain?id=eq.1&select=weight', () => patch({ weight: 5 })],
    ['by elements without triggers', '/plain?match=id&select=weight', () => patch([{ id: 1, weight: 5 }])],
    ['by elements', '/crate?match=id&select=weight', () => patch([{ id: 1, weight: 5 }])],
    ['by an upsert', '/crate?select=weight', () => ({ ...post({ id: 1, weight: 5 }), prefer: MERGE })],
  ])('%s, after a rival', async (_name, target, parts) => {
    const rival = await connect(harbor.adminUri);
    await rival.query('begin');
    await rival.query('update yard.crate set weight = 77 where id = 1; update yard.plain set weight = 77 where id = 1');
    const answer = changes(target, parts());
    await until(async () => {
      const rows = await harbor.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length > 0;
    });
    await rival.query('commit');
    await rival.end();
    expect(await answer).toEqual([200, [{ old: { weight: 77 }, new: { weight: 5 } }]]);
  });
});

test('B86g without a key, rows are returned where PostgreSQL can', async () => {
  const [[version]] = (await harbor.query(`select current_setting('server_version_num')::int`)) as [[number]];
  const { status, text } = await write('/bag?name=eq.p', patch({ size: 9 }));
  if (version >= 180_000)
    expect([status, JSON.parse(text)]).toEqual([200, [{ old: { name: 'p', size: 1 }, new: { name: 'p', size: 9 } }]]);
  else expect([status, text]).toEqual([400, expect.stringContaining('SVC127')]);
});
