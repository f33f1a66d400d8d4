// GeoJSON through the only PostGIS function that it needs, which a stub replaces here.
import { expect, test } from 'vitest';
import { ask } from '../support/http-client.ts';
import { loginUri } from '../support/reading-server.ts';
import { createDatabase, runRoleSql } from '../support/database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { use } from '../support/use.ts';

const FIXTURE = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'web_anon') then create role web_anon nologin; end if;
    if not exists (select from pg_roles where rolname = 'rowhouse_gate') then create role rowhouse_gate login noinherit; end if;
  end $$;
  grant web_anon to rowhouse_gate;
  create schema api;
  create schema gis;
  grant usage on schema api, gis to web_anon;
  create function gis.st_asgeojson(feature record) returns text language plpgsql stable as $$
  declare
    fields jsonb := to_jsonb(feature);
    geometry text := (select key from jsonb_each(fields) where value ? 'coordinates');
  begin
    if geometry is null then raise exception 'geometry column is missing' using errcode = '22023'; end if;
    return jsonb_build_object('type', 'Feature', 'geometry', fields->geometry, 'properties', fields - geometry);
  end $$;
  create table api.boats (id int primary key, label text);
  create table api.marks (id int primary key, spot jsonb, boat_id int references api.boats);
  insert into api.boats values (1, 'Alba');
  insert into api.marks values (1, '{"type":"Point","coordinates":[10,59]}', 1);
  grant select on all tables in schema api to web_anon;`;

const database = await use(createDatabase());
await runRoleSql(database.uri, FIXTURE);
const server = await use(
  startServerProcess({
    'db-uri': loginUri(database.uri),
    'db-schemas': 'api',
    'db-extra-search-path': 'gis',
    'db-anon-role': 'web_anon',
    'log-level': 'crit',
  }),
);

async function get(url: string): Promise<readonly [status: number, type: string | undefined, body: unknown]> {
  const headers = { Accept: 'application/geo+json' };
  const answer = await ask(server.port, { method: 'GET', url, headers });
  return [answer.status, answer.headers['content-type'], JSON.parse(answer.body)];
}

const TYPE = 'application/geo+json; charset=utf-8';

test('R228 rows become features of a collection, with embeds among their properties', async () => {
  const feature = {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [10, 59] },
    properties: { id: 1, boats: { label: 'Alba' } },
  };
  const expected = { type: 'FeatureCollection', features: [feature] };
  expect(await get('/marks?select=id,spot,boats(label)')).toEqual([200, TYPE, expected]);
});

test('R228 no rows become an empty collection', async () => {
  expect(await get('/marks?id=eq.9')).toEqual([200, TYPE, { type: 'FeatureCollection', features: [] }]);
});

test('R228 W232 rows without a geometry fail with the error of PostGIS', async () => {
  const error = { code: '22023', message: 'geometry column is missing', details: null, hint: null };
  expect(await get('/boats')).toEqual([400, 'application/json; charset=utf-8', error]);
});
