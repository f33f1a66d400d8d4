// How the rows of long arrays and CSV are counted before the first one leaves: by a query of their own where it costs little
// and surely gives their number, else as PostgreSQL keeps them. And which need not be counted, since there is one at most.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { loadRows } from '../support/load-cache.ts';
import { resolved } from '../support/resolve-text.ts';
import { createDatabase, runSql, type TestDatabase } from '../support/database.ts';
import { layoutSql } from './layout-sql.ts';
import { renderRequest } from '../support/request-stages.ts';

let database: TestDatabase;
let cache: SchemaCache;

beforeAll(async () => {
  database = await createDatabase();
  await runSql(
    database.uri,
    `create schema api;
    create table api.port (id int primary key, name text);
    create table api.boat (id int primary key, port_id int references api.port, length numeric);
    create table api.secret (id int primary key, port_id int references api.port);
    alter table api.secret enable row level security;
    create view api.boats as select * from api.boat;
    create materialized view api.kept as select * from api.boat;
    create table api.note (id int primary key, extra json);
    create table api.made (id int primary key, serial int generated always as identity,
      twice int generated always as (id * 2) stored);
    do $$ begin
      if current_setting('server_version_num')::int >= 180000 then
        -- Older versions cannot parse it.
        execute 'create table api.computed (id int primary key, twice int generated always as (id * 2) virtual)';
      else
        create view api.computed as select id, id * 2 as twice from api.boat;
      end if;
    end $$;
    create table api.log (id int primary key) partition by range (id);
    create table api.guarded_part partition of api.log for values from (0) to (100);
    alter table api.guarded_part enable row level security;
    create extension file_fdw;
    create server paper foreign data wrapper file_fdw;
    create table api.partly_far (id int) partition by range (id);
    create table api.near_part partition of api.partly_far for values from (0) to (100) partition by range (id);
    create foreign table api.far_part partition of api.near_part for values from (0) to (50)
      server paper options (filename '/dev/null');
    create table api.parent (id int primary key);
    create table api.child () inherits (api.parent);
    create table api.far_parent (id int);
    create table api.near_child () inherits (api.far_parent);
    create foreign table api.far_child () inherits (api.near_child) server paper options (filename '/dev/null');
    create table api.small (id int primary key);
    insert into api.small values (1);
    create function api.title(api.port) returns text language sql as 'select $1.name';
    create function api.all_boats() returns setof api.boat language sql stable as 'select * from api.boat'`,
  );
  await runSql(database.uri, 'vacuum analyze api.small');
  cache = buildSchemaCache(await loadRows(database.uri, { schemas: ['api'], extraSearchPath: [] }));
});
afterAll(() => database.drop());

const ENVIRONMENT = { SVC_DB_SCHEMAS: 'api', SVC_DB_AGGREGATES_ENABLED: 'true', SVC_DB_PLAN_ENABLED: 'true' };
const JSON_ROWS = 'application/json';
const CSV = 'text/csv';

function render(line: string, accept: string, count: string | undefined, extensions = 'stream'): string {
  const environment = { ...ENVIRONMENT, SVC_EXTENSIONS: extensions };
  const headers = { Accept: accept, ...(count !== undefined && { Prefer: `count=${count}` }) };
  const script = renderRequest(line, headers, { cache, config: resolved({ environment }) });
  if (!script.ok) throw new Error(JSON.stringify(script.error));
  return script.value.segments[0].main.text;
}

type Counting = 'apart' | 'kept' | 'one value' | 'single row';

function countingOf(text: string): Counting {
  if (text.includes(' AS MATERIALIZED ')) return 'kept';
  if (!text.includes('"page_rows"')) return 'single row';
  return text.includes(' AS "body"') ? 'one value' : 'apart';
}

test('B24 the query of the number has no order, but the range', () => {
  const line = 'GET /port?select=name&order=name&offset=2&limit=2000';
  expect(layoutSql(render(line, JSON_ROWS, 'exact'))).toBe(`SELECT "_4".*, row_to_json("_3".*)::text AS "element"
FROM (
  SELECT (
    SELECT count(*)
    FROM (
      SELECT 1
      FROM "api"."port"
      LIMIT $3 OFFSET $4
    ) AS "_2"
  ) AS "page_rows", (
    SELECT count(*)
    FROM (
      SELECT 1
      FROM "api"."port"
    ) AS "_1"
  ) AS "total", nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status", NULL AS "inserted", NULL AS "location"
) AS "_4"
LEFT JOIN (
  SELECT "port"."name"
  FROM "api"."port"
  ORDER BY "port"."name"
  LIMIT $1 OFFSET $2
) AS "_3" ON TRUE`);
});

test.each<[line: string, json: Counting, csv: Counting]>([
  ['/boat', 'apart', 'apart'],
  ['/boat?select=id,length&order=length.desc', 'apart', 'apart'],
  ['/boat?limit=1001', 'apart', 'apart'],
  ['/boat?offset=5', 'apart', 'apart'],
  ['/kept', 'apart', 'apart'],
  ['/log', 'apart', 'apart'],
  ['/parent', 'apart', 'apart'],
  ['/partly_far', 'kept', 'kept'],
  ['/far_parent', 'kept', 'kept'],
  ['/near_child', 'kept', 'kept'],
  ['/far_child', 'kept', 'kept'],
  ['/boat?limit=1000', 'one value', 'kept'],
  ['/small', 'one value', 'kept'],
  ['/boat?id=gt.5', 'kept', 'kept'],
  ['/boat?or=(id.gt.5,id.lt.3)', 'kept', 'kept'],
  ['/boat?id=eq.5', 'single row', 'kept'],
  ['/boat?id=eq.5&length=gt.2', 'single row', 'kept'],
  ['/boat?id=eq.5&select=id,port(name)', 'single row', 'kept'],
  ['/boat?limit=1&select=id,...port(name)', 'single row', 'kept'],
  ['/port?id=eq.5&select=name,boat(*)', 'single row', 'kept'],
  ['/port?id=eq.5&select=name,secret(id)', 'one value', 'kept'],
  ['/boat?order=length&limit=1', 'single row', 'kept'],
  ['/small?limit=1', 'single row', 'kept'],
  ['/log?id=eq.5', 'single row', 'kept'],
  ['/boat?id=in.(5)', 'one value', 'kept'],
  ['/boat?id=not.eq.5&limit=2', 'one value', 'kept'],
  ['/boat?port_id=eq.5', 'one value', 'kept'],
  ['/boat?id=eq.5&select=id::text', 'one value', 'kept'],
  ['/boat?select=length.sum()&limit=1', 'one value', 'kept'],
  ['/boats?id=eq.5', 'one value', 'kept'],
  ['/secret?id=eq.5', 'one value', 'kept'],
  ['/boat?select=length.sum()', 'kept', 'kept'],
  ['/boat?select=id::text', 'kept', 'kept'],
  ['/boat?select=id,port(name)', 'kept', 'kept'],
  ['/boat?select=id,...port(name)', 'kept', 'kept'],
  ['/port?select=name,boat(*)', 'kept', 'kept'],
  ['/port?select=name,boat!inner(*)', 'kept', 'kept'],
  ['/port?select=name,secret(id)', 'kept', 'kept'],
  ['/port?select=id,title', 'kept', 'kept'],
  ['/note?select=id', 'apart', 'apart'],
  ['/note?order=extra->a', 'apart', 'apart'],
  ['/note?select=id,extra->a', 'kept', 'kept'],
  ['/made', 'apart', 'apart'],
  ['/computed', 'kept', 'kept'],
  ['/boats', 'kept', 'kept'],
  ['/secret', 'kept', 'kept'],
  ['/rpc/all_boats', 'one value', 'kept'],
])('B24 %s as JSON: %s, as CSV: %s', (target, json, csv) => {
  expect(countingOf(render(`GET ${target}`, JSON_ROWS, undefined))).toBe(json);
  expect(countingOf(render(`GET ${target}`, CSV, undefined))).toBe(csv);
  expect(countingOf(render(`GET ${target}`, CSV, undefined, 'none'))).toBe('kept');
});

test('B24 a HEAD and a plan are of the statement that most reads have', () => {
  expect(countingOf(render('HEAD /boat?offset=5', JSON_ROWS, undefined))).toBe('one value');
  expect(countingOf(render('HEAD /boat?id=eq.5', JSON_ROWS, undefined))).toBe('one value');
  expect(countingOf(render('HEAD /boat?offset=5', CSV, undefined))).toBe('one value');
  expect(countingOf(render('GET /boat', 'application/vnd.svc.plan+json; for="text/csv"', undefined))).toBe('kept');
  expect(countingOf(render('GET /boat?id=eq.5', 'application/vnd.svc.plan+json', undefined))).toBe('one value');
});

const OBJECT = 'application/vnd.svc.object+json';

test.each<[accept: string, count: string | undefined, shown: string | undefined]>([
  [JSON_ROWS, undefined, 'json_build_array("_1".*)'],
  [JSON_ROWS, 'exact', 'json_build_array("_1".*)'],
  [`application/vnd.svc.array+json;nulls=stripped`, undefined, 'json_strip_nulls(json_build_array("_1".*))'],
  [OBJECT, undefined, 'row_to_json("_1".*)'],
  [`${OBJECT};nulls=stripped`, undefined, 'json_strip_nulls(row_to_json("_1".*))'],
  [JSON_ROWS, 'planned', undefined],
  [JSON_ROWS, 'estimated', undefined],
])('R223 the one row as %s, count %s: %s', (accept, count, shown) => {
  const text = render('GET /port?id=eq.5&select=name', accept, count);
  const single = `SELECT ${shown} AS "body" FROM (SELECT "port"."name" FROM "api"."port" WHERE "port"."id" = $1) AS "_1"`;
  expect(text === single).toBe(shown !== undefined);
  expect(text.includes('"page_rows"')).toBe(shown === undefined);
});
