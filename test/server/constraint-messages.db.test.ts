// The comment of a violated constraint is the message of the error (`beyond.md` §5.3).
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { type LocalServer, post, type RequestParts, useServers } from '../support/local-server.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

await harbor.sql(`
    create schema store;
    create extension if not exists btree_gist;
    create domain api.code as text constraint code_format check (value ~ '^[A-Z]+$');
    create domain api.short_code as api.code check (length(value) < 9);
    create domain store.secret as text constraint secret_format check (value <> '');
    create table api.port (
      id int constraint port_key primary key,
      name text constraint port_name_unique unique,
      depth int constraint port_deep check (depth > 0),
      area int,
      code api.code,
      short api.short_code,
      secret store.secret,
      days int4range,
      constraint port_shape check (depth < area),
      constraint port_days exclude using gist (days with &&),
      constraint port_plain check (area < 1000)
    );
    create table api.pier (
      id int primary key,
      port int constraint pier_port references api.port deferrable,
      length int constraint pier_long check (length > 10)
    );
    create unique index port_area on api.port (area);
    comment on index api.port_area is 'Not a constraint';
    comment on constraint port_key on api.port is 'There is already a port with this number';
    comment on constraint port_name_unique on api.port is E'The name is taken\\nfor people who read the schema';
    comment on constraint port_deep on api.port is 'A port needs water';
    comment on constraint port_shape on api.port is 'A port is wider than deep';
    comment on constraint port_days on api.port is 'The days overlap';
    comment on constraint code_format on domain api.code is 'A code has capital letters';
    comment on constraint secret_format on domain store.secret is 'Not exposed';
    comment on constraint pier_port on api.pier is 'Choose an existing port';
    comment on constraint pier_long on api.pier is 'A pier is longer than 10 m';
    create table store.crate (number int constraint crate_number check (number > 0), weight int,
      constraint crate_weight check (weight > number));
    comment on constraint crate_number on store.crate is 'Numbers are positive';
    comment on constraint crate_weight on store.crate is 'Too light';
    create view api.crate as select number as no from store.crate;
    create view api.harbours as select id as number, depth as water, area from api.port;
    create table api.buoy (id int, year int constraint buoy_year check (year > 1900), primary key (id, year)) partition by range (year);
    comment on constraint buoy_year on api.buoy is 'That was long ago';
    comment on constraint buoy_pkey on api.buoy is 'This buoy exists';
    create table store.buoy_all partition of api.buoy default;
    insert into api.port (id, name, depth, area, days) values (1, 'North', 5, 10, '[1,5)');
    insert into api.pier values (1, 1, 20);
    insert into api.buoy values (1, 2000);
    create function api.add_port(number int) returns void language sql as 'insert into api.port (id) values (number)';
    create function api.claim() returns void language plpgsql as $$ begin
      raise exception 'mine' using errcode = 'P0001', constraint = 'port_key', schema = 'api', table = 'port'; end $$;
    grant all on api.port, api.pier, api.crate, api.harbours, api.buoy to ${harbor.anon};
    revoke select on api.port from ${harbor.anon};
    grant select (id, name, depth) on api.port to ${harbor.anon};
  `);

const server = await start();

async function refusal(target: string, parts: RequestParts, on: LocalServer = server): Promise<unknown> {
  const { status, text } = await on.get(target, parts);
  return { status, ...(JSON.parse(text) as object) };
}

const PORT = 'new row for relation "port" violates check constraint';

test.each([
  [
    'a primary key',
    { id: 1 },
    { status: 409, code: '23505', columns: ['id'], message: 'There is already a port with this number' },
    'duplicate key value violates unique constraint "port_key"',
  ],
  [
    'a unique constraint, with the first line',
    { id: 2, name: 'North' },
    { status: 409, code: '23505', columns: ['name'], message: 'The name is taken' },
    'duplicate key value violates unique constraint "port_name_unique"',
  ],
  [
    'a check',
    { id: 2, depth: 0 },
    { status: 400, code: '23514', columns: ['depth'], message: 'A port needs water' },
    `${PORT} "port_deep"`,
  ],
  [
    'a check with a column that the role may not select',
    { id: 2, depth: 9, area: 3 },
    { status: 400, code: '23514', columns: ['depth'], message: 'A port is wider than deep' },
    `${PORT} "port_shape"`,
  ],
  [
    'an exclusion',
    { id: 2, days: '[2,3)' },
    { status: 400, code: '23P01', columns: [], message: 'The days overlap' },
    'conflicting key value violates exclusion constraint "port_days"',
  ],
  [
    'a domain',
    { id: 2, code: 'a' },
    { status: 400, code: '23514', columns: [], message: 'A code has capital letters' },
    'value for domain code violates check constraint "code_format"',
  ],
  [
    'a domain below the domain of the column',
    { id: 2, short: 'a' },
    { status: 400, code: '23514', columns: [], message: 'A code has capital letters' },
    'value for domain short_code violates check constraint "code_format"',
  ],
])('B88 %s is explained by its comment', async (_kind, row, expected, details) => {
  expect(await refusal('/port', post(row))).toEqual({ ...expected, details, hint: null });
});

test('B88 a foreign key names the columns of its own table, on both sides', async () => {
  const expected = { status: 409, code: '23503', columns: ['port'], hint: null, message: 'Choose an existing port' };
  const message = 'table "pier" violates foreign key constraint "pier_port"';
  expect(await refusal('/pier', post({ id: 2, port: 7, length: 20 }))).toEqual({
    ...expected,
    details: `insert or update on ${message}`,
  });
  expect(await refusal('/port?id=eq.1', { method: 'DELETE' })).toMatchObject({
    ...expected,
    details: 'update or delete on table "port" violates foreign key constraint "pier_port" on table "pier"',
  });
});

test('B88b without a comment nothing changes', async () => {
  expect(await refusal('/port', post({ id: 2, depth: 1, area: 5000 }))).toMatchObject({
    message: `${PORT} "port_plain"`,
    details: expect.stringMatching(/^Failing row contains/u) as unknown,
  });
  expect(await refusal('/port', post({ id: 2, area: 10 }))).not.toHaveProperty('columns');
  expect(await refusal('/port', post({ id: 2, secret: '' }))).not.toHaveProperty('columns');
  expect(await refusal('/rpc/claim', post({}))).toEqual({
    status: 400,
    code: 'P0001',
    details: null,
    hint: null,
    message: 'mine',
  });
});

test('B88c through a view, the columns have the names of the view', async () => {
  expect(await refusal('/harbours', post({ number: 1 }))).toMatchObject({ columns: ['number'] });
  expect(await refusal('/harbours', post({ number: 2, water: 9, area: 3 }))).toMatchObject({
    columns: ['water', 'area'],
  });
  expect(await refusal('/crate', post({ no: 0 }))).toMatchObject({ columns: ['no'], message: 'Numbers are positive' });
});

test('B88d nested rows, calls and batches have the message, with the place in the batch', async () => {
  const nested = { ...post({ id: 3, pier: [{ id: 3, length: 1 }] }) };
  const headers = { ...nested.headers, Prefer: 'nested=write' };
  expect(await refusal('/port?select=id', { ...nested, headers })).toMatchObject({
    columns: ['length'],
    message: 'A pier is longer than 10 m',
  });
  expect(await refusal('/rpc/add_port', post({ number: 1 }))).toMatchObject({ columns: ['id'], status: 409 });
  const body = JSON.stringify([{ method: 'POST', path: '/port', id: 'a', body: { id: 1 } }]);
  const batch = { method: 'POST', headers: { 'Content-Type': 'application/vnd.svc.batch+json' }, body };
  expect(await refusal('/', batch)).toMatchObject({ columns: ['id'], request: 0, id: 'a' });
});

test('B88e what fails at the commit has the message', async () => {
  await harbor.sql('alter table api.pier alter constraint pier_port deferrable initially deferred');
  expect(await refusal('/pier', post({ id: 4, port: 9, length: 20 }))).toMatchObject({
    columns: ['port'],
    message: 'Choose an existing port',
  });
});

test('B88f an inherited constraint has the comment of its parent', async () => {
  expect(await refusal('/buoy', post({ id: 2, year: 1800 }))).toMatchObject({
    columns: ['year'],
    message: 'That was long ago',
  });
  expect(await refusal('/buoy', post({ id: 1, year: 2000 }))).toMatchObject({
    columns: ['id', 'year'],
    message: 'This buoy exists',
  });
});

test('B88g terse errors have code and message, and without the extension nothing changes', async () => {
  const row = post({ id: 2, depth: 0 });
  expect(await refusal('/port', row, await start({ 'client-error-verbosity': 'minimal' }))).toEqual({
    status: 400,
    code: '23514',
    message: 'A port needs water',
  });
  for (const options of [{ extensions: 'none' }, { dialect: 'postgrest' }])
    expect(await refusal('/port', row, await start(options))).toMatchObject({ message: `${PORT} "port_deep"` });
});
