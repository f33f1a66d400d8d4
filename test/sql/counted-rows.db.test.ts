// How the rows of long arrays and CSV are counted before the first one is sent: by a subquery if that is cheap and
// certain to match, otherwise by materializing them. Results of at most one row are not counted.
import { expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import { loadRows } from '../support/load-cache.ts';
import { resolved } from '../support/resolve-text.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { layoutSql } from './layout-sql.ts';
import { renderRequest } from '../support/request-stages.ts';
import { use } from '../support/use.ts';

const database = await use(createDatabase());
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
    insert into api.small select generate_series(1, 200);
    create table api.few (id int primary key);
    insert into api.few select generate_series(1, 199);
    create table api.texts (id int primary key, text text);
    insert into api.texts select n, repeat('x', 80) from generate_series(1, 300) n;
    create function api.title(api.port) returns text language sql as 'select $1.name';
    create function api.all_boats() returns setof api.boat language sql stable as 'select * from api.boat'`,
);
await runSql(database.uri, 'vacuum analyze api.small, api.few, api.texts');
const cache = buildSchemaCache(await loadRows(database.uri, { schemas: ['api'], extraSearchPath: [] }));

const ENVIRONMENT = { SVC_DB_SCHEMAS: 'api', SVC_DB_AGGREGATES_ENABLED: 'true', SVC_DB_PLAN_ENABLED: 'true' };
const JSON_ROWS = 'application/json';
const CSV = 'text/csv';
/** As few columns as the server writes as JSON itself. */
const SIX = 'select=a:id,b:id,c:id,d:id,e:id,f:id';

function render(line: string, accept: string, count: string | undefined, extensions = 'stream'): string {
  const environment = { ...ENVIRONMENT, SVC_EXTENSIONS: extensions };
  const headers = { Accept: accept, ...(count !== undefined && { Prefer: `count=${count}` }) };
  const script = renderRequest(line, headers, { cache, config: resolved({ environment }) });
  if (!script.ok) throw new Error(JSON.stringify(script.error));
  return script.value.segments[0].main.text;
}

type Counting = 'subquery' | 'materialized' | 'one value' | 'single row';

function countingOf(text: string): Counting {
  if (text.includes(' AS MATERIALIZED ')) return 'materialized';
  if (!text.includes('"page_rows"')) return 'single row';
  return text.includes(' AS "body"') ? 'one value' : 'subquery';
}

test('B24 the counting subquery has the range but no order', () => {
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
  ['/boat', 'subquery', 'subquery'],
  ['/boat?select=id,length&order=length.desc', 'subquery', 'subquery'],
  ['/boat?limit=1001', 'subquery', 'subquery'],
  ['/boat?offset=5', 'subquery', 'subquery'],
  ['/kept', 'subquery', 'subquery'],
  ['/log', 'subquery', 'subquery'],
  ['/parent', 'subquery', 'subquery'],
  ['/partly_far', 'materialized', 'materialized'],
  ['/far_parent', 'materialized', 'materialized'],
  ['/near_child', 'materialized', 'materialized'],
  ['/far_child', 'materialized', 'materialized'],
  ['/boat?limit=1000', 'one value', 'materialized'],
  [`/boat?limit=1000&${SIX}`, 'materialized', 'materialized'],
  [`/boat?limit=200&${SIX}`, 'materialized', 'materialized'],
  [`/boat?limit=199&${SIX}`, 'one value', 'materialized'],
  [`/boat?limit=200&${SIX.slice(0, -5)}`, 'one value', 'materialized'],
  ['/small', 'one value', 'materialized'],
  [`/few?${SIX}`, 'one value', 'materialized'],
  [`/small?${SIX}`, 'materialized', 'materialized'],
  [`/texts?limit=200&${SIX}`, 'one value', 'materialized'],
  ['/boat?id=gt.5', 'materialized', 'materialized'],
  ['/boat?or=(id.gt.5,id.lt.3)', 'materialized', 'materialized'],
  ['/boat?id=eq.5', 'single row', 'materialized'],
  ['/boat?id=eq.5&length=gt.2', 'single row', 'materialized'],
  ['/boat?id=eq.5&select=id,port(name)', 'single row', 'materialized'],
  ['/boat?limit=1&select=id,...port(name)', 'single row', 'materialized'],
  ['/port?id=eq.5&select=name,boat(*)', 'single row', 'materialized'],
  ['/port?id=eq.5&select=name,secret(id)', 'one value', 'materialized'],
  ['/boat?order=length&limit=1', 'single row', 'materialized'],
  ['/small?limit=1', 'single row', 'materialized'],
  ['/log?id=eq.5', 'single row', 'materialized'],
  ['/boat?id=in.(5)', 'one value', 'materialized'],
  ['/boat?id=not.eq.5&limit=2', 'one value', 'materialized'],
  ['/boat?port_id=eq.5', 'one value', 'materialized'],
  ['/boat?id=eq.5&select=id::text', 'one value', 'materialized'],
  ['/boat?select=length.sum()&limit=1', 'one value', 'materialized'],
  ['/boats?id=eq.5', 'one value', 'materialized'],
  ['/secret?id=eq.5', 'one value', 'materialized'],
  ['/boat?select=length.sum()', 'materialized', 'materialized'],
  ['/boat?select=id::text', 'materialized', 'materialized'],
  ['/boat?select=id,port(name)', 'materialized', 'materialized'],
  ['/boat?select=id,...port(name)', 'materialized', 'materialized'],
  ['/port?select=name,boat(*)', 'materialized', 'materialized'],
  ['/port?select=name,boat!inner(*)', 'materialized', 'materialized'],
  ['/port?select=name,secret(id)', 'materialized', 'materialized'],
  ['/port?select=id,title', 'materialized', 'materialized'],
  ['/note?select=id', 'subquery', 'subquery'],
  ['/note?order=extra->a', 'subquery', 'subquery'],
  ['/note?select=id,extra->a', 'materialized', 'materialized'],
  ['/made', 'subquery', 'subquery'],
  ['/computed', 'materialized', 'materialized'],
  ['/boats', 'materialized', 'materialized'],
  ['/secret', 'materialized', 'materialized'],
  ['/rpc/all_boats', 'one value', 'materialized'],
])('B24 %s as JSON: %s, as CSV: %s', (target, json, csv) => {
  expect(countingOf(render(`GET ${target}`, JSON_ROWS, undefined))).toBe(json);
  expect(countingOf(render(`GET ${target}`, CSV, undefined))).toBe(csv);
  expect(countingOf(render(`GET ${target}`, CSV, undefined, 'none'))).toBe('materialized');
});

test('B24 HEAD and execution plans use the statement form of most reads', () => {
  expect(countingOf(render('HEAD /boat?offset=5', JSON_ROWS, undefined))).toBe('one value');
  expect(countingOf(render('HEAD /boat?id=eq.5', JSON_ROWS, undefined))).toBe('one value');
  expect(countingOf(render('HEAD /boat?offset=5', CSV, undefined))).toBe('one value');
  expect(countingOf(render('GET /boat', 'application/vnd.svc.plan+json; for="text/csv"', undefined))).toBe(
    'materialized',
  );
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
])('R223 a single row as %s, count %s: %s', (accept, count, shown) => {
  const text = render('GET /port?id=eq.5&select=name', accept, count);
  const single = `SELECT ${shown} AS "body" FROM (SELECT "port"."name" FROM "api"."port" WHERE "port"."id" = $1) AS "_1"`;
  expect(text === single).toBe(shown !== undefined);
  expect(text.includes('"page_rows"')).toBe(shown === undefined);
});
