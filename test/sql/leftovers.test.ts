// Which requests are followed by a cleanup of their session: all but those that surely run no code of the users'.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { loadRows } from '../catalog/load-cache.ts';
import { resolved } from '../config/resolve-text.ts';
import { createDatabase, runSql, type TestDatabase } from '../support/database.ts';
import { renderRequest } from './stages.ts';

let database: TestDatabase;
let cache: SchemaCache;

beforeAll(async () => {
  database = await createDatabase();
  await runSql(
    database.uri,
    `create schema api;
    create type api.mood as enum ('calm');
    create table api.port (id int primary key, name text);
    create table api.boat (id int primary key, port_id int references api.port, details jsonb, length numeric(8,2));
    create table api.sailor (id int primary key, mood api.mood, port_id int references api.port);
    create table api.secret (id int primary key, port_id int references api.port);
    alter table api.secret enable row level security;
    create table api.crew (boat_id int references api.boat, sailor_id int references api.port, primary key (boat_id, sailor_id));
    create table api.guest (boat_id int references api.boat, port_id int references api.port, primary key (boat_id, port_id));
    alter table api.guest enable row level security;
    create view api.harbor as select * from api.port;
    create materialized view api.kept as select * from api.port;
    create function api.title(api.port) returns text language sql as 'select $1.name';
    create function api.nearest(api.boat) returns setof api.port rows 1 language sql as 'select * from api.port limit 1';
    create function api.total() returns int language sql stable as 'select 1';`,
  );
  cache = buildSchemaCache(await loadRows(database.uri, { schemas: ['api'], extraSearchPath: [] }));
});
afterAll(() => database.drop());

function leftoversOf(line: string, options: Readonly<Record<string, string>> = {}): string | undefined {
  const environment = { SVC_DB_SCHEMAS: 'api', SVC_DB_AGGREGATES_ENABLED: 'true', ...options };
  const config = resolved({ environment });
  const script = renderRequest(line, {}, { cache, config, body: '{}' });
  return script.ok ? script.value.leftovers : JSON.stringify(script.error);
}

test.each([
  'GET /port?id=eq.1',
  'GET /port?select=id,name&name=like.a*&order=name',
  'GET /kept',
  'GET /boat?select=id,details->a,port!boat_port_id_fkey(*)&order=port(name)',
  'GET /boat?select=length.sum()',
  'GET /boat?select=id,port!crew(name)',
])('%s leaves nothing', (line) => {
  expect(leftoversOf(line)).toBe('none');
});

test.each([
  'GET /harbor',
  'GET /secret',
  'GET /sailor',
  'GET /port?select=title',
  'GET /port?title=eq.x',
  'GET /port?or=(id.eq.1,title.eq.x)',
  'GET /port?order=title',
  'GET /port?select=name::mood',
  'GET /port?select=id,secret(id)',
  'GET /boat?select=id,harbor!boat_port_id_fkey(id)',
  'GET /boat?select=id,nearest(id)',
  'GET /boat?select=id,port!guest(name)',
  'GET /boat?select=id,port!boat_port_id_fkey(id)&order=port(title)',
])('%s may leave settings', (line) => {
  expect(leftoversOf(line)).toBe('settings');
});

test.each(['POST /port', 'PATCH /port?id=eq.1', 'DELETE /port?id=eq.1', 'GET /rpc/total', 'POST /rpc/total'])(
  '%s may leave anything',
  (line) => {
    expect(leftoversOf(line)).toBe('all');
  },
);

test('any request may leave anything where there is a pre-request function', () => {
  expect(leftoversOf('GET /port', { SVC_DB_PRE_REQUEST: 'api.total' })).toBe('all');
});
