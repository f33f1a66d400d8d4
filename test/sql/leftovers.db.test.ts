// Which sessions are cleaned up after a request: all except those that certainly ran no user code.
import { describe, expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { buildSteps } from '../../src/postgres/execute/script-steps.ts';
import { OWN_TRANSACTION } from '../../src/postgres/execute/transaction-bounds.ts';
import type { TransactionScript } from '../../src/sql/transaction-script.ts';
import { loadRows } from '../support/load-cache.ts';
import { resolved } from '../support/resolve-text.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { renderRequest } from '../support/request-stages.ts';
import { use } from '../support/use.ts';

/** Tables, named for the place where they run user code. */
const TABLES_WITH_CODE = {
  trigger_before: `create table api.trigger_before (id int primary key);
    create trigger fire before insert on api.trigger_before for each row execute function api.fire()`,
  trigger_after: `create table api.trigger_after (id int primary key);
    create trigger fire after delete on api.trigger_after for each statement execute function api.fire()`,
  trigger_deferred: `create table api.trigger_deferred (id int primary key);
    create constraint trigger fire after update on api.trigger_deferred deferrable initially deferred
      for each row execute function api.fire()`,
  trigger_on_partition: `create table api.trigger_on_partition (id int primary key) partition by list (id);
    create table api.partition partition of api.trigger_on_partition default;
    create trigger fire before insert on api.partition for each row execute function api.fire()`,
  trigger_on_heir: `create table api.trigger_on_heir (id int primary key);
    create table api.heir () inherits (api.trigger_on_heir);
    create trigger fire before update on api.heir for each row execute function api.fire()`,
  rule: `create table api.rule (id int primary key);
    create rule code as on insert to api.rule do also select api.code(1)`,
  default_code: `create table api.default_code (id int primary key, value int default api.code(1))`,
  default_setting: `create table api.default_setting (id int primary key, value text default set_config('a.b', 'c', false))`,
  default_nested: `create table api.default_nested (id int primary key,
    value text default coalesce(lower(case when true then set_config('a.b', 'c', false) end), 'x'))`,
  default_lock: `create table api.default_lock (id int primary key, value bool default pg_try_advisory_lock(1))`,
  default_domain: `create table api.default_domain (id int primary key, value int default 5::api.checked)`,
  default_text: `create table api.default_text (id int primary key, value text default (now()::text::api.checked)::text)`,
  generated: `create table api.generated (id int primary key, value int generated always as (api.code(id)) stored)`,
  check_code: `create table api.check_code (id int primary key check (api.code(id) > 0))`,
  check_setting: `create table api.check_setting (id int primary key check (set_config('a.b', 'c', false) is not null))`,
  check_operator: `create table api.check_operator (id int primary key check (id operator(api.<<) 5))`,
  domain: `create table api.domain (id int primary key, value api.checked)`,
  index_code: `create table api.index_code (id int primary key); create index on api.index_code (api.code(id))`,
  index_where: `create table api.index_where (id int primary key); create index on api.index_where (id) where api.code(id) > 0`,
  index_class: `create function api.compare(int, int) returns int language sql immutable as 'select $1 - $2';
    create operator class api.strange for type int using btree as
      operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 api.compare(int, int);
    create table api.index_class (id int primary key); create index on api.index_class (id api.strange)`,
  excluding: `create table api.excluding (id int primary key, span int4range, exclude using gist (span with &&))`,
  foreign_key: `create operator api.= (leftarg = int, rightarg = int, function = int4eq);
    create operator class api.odd for type int using btree as
      operator 1 <, operator 2 <=, operator 3 api.=, operator 4 >=, operator 5 >, function 1 btint4cmp(int, int);
    create table api.odd_key (id int); create unique index on api.odd_key (id api.odd);
    create table api.foreign_key (id int primary key references api.odd_key (id))`,
  guarded: `create table api.guarded (id int primary key); alter table api.guarded enable row level security`,
};

const database = await use(createDatabase());
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
    create function api.total() returns int language sql stable as 'select 1';
    create function api.code(int) returns int language sql immutable as 'select $1';
    create function api.fire() returns trigger language plpgsql as 'begin return new; end';
    create operator api.<< (leftarg = int, rightarg = int, function = int4lt);
    create domain api.checked as int check (api.code(value) > 0);
    create table api.filled (id int generated always as identity primary key, number serial, name text default 'x' unique,
      length numeric(8,2) default 1.5 check (length > 0 and (length < 99.5 or name is not null)),
      day date default current_date, at timestamptz default now(), local timestamp default now(),
      tenant text default current_setting('app.tenant', true), code uuid default gen_random_uuid(),
      kind varchar(8) check (kind in ('a', 'b')), low text generated always as (lower(name)) stored);
    create index on api.filled (lower(name)) where kind is not null;
    create table api.mother (id int primary key);
    create table api.child (id int primary key, mother_id int references api.mother on delete cascade);
    ${Object.values(TABLES_WITH_CODE).join(';')};`,
);
const cache = buildSchemaCache(await loadRows(database.uri, { schemas: ['api'], extraSearchPath: [] }));

type Texts = Readonly<Record<string, string>>;

function leftoversOf(line: string, options: Texts = {}, headers: Texts = {}): string {
  const script = scriptOf(line, options, headers);
  return script.ok ? script.value.leftovers : JSON.stringify(script.error);
}

function scriptOf(line: string, options: Texts, headers: Texts): Result<TransactionScript, ApiError> {
  const environment = { SVC_DB_SCHEMAS: 'api', SVC_DB_AGGREGATES_ENABLED: 'true', ...options };
  const config = resolved({ environment });
  return renderRequest(line, headers, { cache, config, body: line.includes('/rpc/') ? '{}' : '{"id":1}' });
}

test.each([
  'GET /port?id=eq.1',
  'GET /port?select=id,name&name=like.a*&order=name',
  'GET /kept',
  'GET /boat?select=id,details->a,port!boat_port_id_fkey(*)&order=port(name)',
  'GET /boat?select=length.sum()',
  'GET /boat?select=id,port!crew(name)',
])('%s leaves nothing behind', (line) => {
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
])('%s may leave settings behind', (line) => {
  expect(leftoversOf(line)).toBe('settings');
});

test.each(['GET /rpc/total', 'POST /rpc/total'])('%s may leave anything behind', (line) => {
  expect(leftoversOf(line)).toBe('all');
});

test('any request may leave anything behind if there is a pre-request function', () => {
  expect(leftoversOf('GET /port', { SVC_DB_PRE_REQUEST: 'api.total' })).toBe('all');
  expect(leftoversOf('POST /port', { SVC_DB_PRE_REQUEST: 'api.total' })).toBe('all');
});

describe('a write without user code', () => {
  test.each([
    ['POST /port', {}],
    ['POST /port', { Prefer: 'return=representation' }],
    ['POST /port', { Prefer: 'return=headers-only' }],
    ['POST /port', { Prefer: 'resolution=merge-duplicates' }],
    ['PATCH /port?id=eq.1', {}],
    ['PUT /port?id=eq.1', {}],
    ['DELETE /port?id=eq.1', {}],
    ['POST /boat?select=id,port!boat_port_id_fkey(name)', { Prefer: 'return=representation' }],
    ['PATCH /boat?id=eq.1', {}],
    ['POST /filled', {}],
    ['PATCH /filled?name=like.a*', {}],
    ['POST /mother', {}],
    ['POST /mother', { Prefer: 'resolution=ignore-duplicates' }],
    ['DELETE /child?id=eq.1', {}],
  ])('%s with %o leaves nothing behind', (line, headers: Readonly<Record<string, string>>) => {
    expect(leftoversOf(line, {}, headers)).toBe('none');
  });

  test('is one batch without BEGIN, COMMIT and cleanup', () => {
    const script = scriptOf('POST /port', {}, {});
    if (!script.ok) throw new Error(JSON.stringify(script.error));
    const steps = buildSteps(
      script.value,
      { statements: undefined, isDiscardingPlans: false, planRole: undefined },
      OWN_TRANSACTION,
    );
    expect(steps.map(({ role }) => role)).toStrictEqual(['settings', 'main']);
  });
});

describe('a write that may run user code may leave anything behind', () => {
  test.each([
    'POST /harbor',
    'POST /secret',
    'POST /sailor',
    'PATCH /port?title=eq.x',
    'POST /port?select=title',
    'POST /boat?select=id,nearest(id)',
    'PATCH /mother?id=eq.1',
    'DELETE /mother?id=eq.1',
    'PUT /mother?id=eq.1',
  ])('%s', (line) => {
    expect(leftoversOf(line)).toBe('all');
  });

  test('an insert that merges, whose updates cascade', () => {
    expect(leftoversOf('POST /mother', {}, { Prefer: 'resolution=merge-duplicates' })).toBe('all');
  });

  test.each(Object.keys(TABLES_WITH_CODE))('%s', (table) => {
    for (const line of [`POST /${table}`, `PATCH /${table}?id=eq.1`, `DELETE /${table}?id=eq.1`])
      expect(leftoversOf(line), line).toBe('all');
  });
});
