// Each lint finds what is planted, as often as it is planted, and is silent about what is safe. Every case is a schema of
// its own in one database.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connect, createDatabase, runSql, useRoles } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import type { Finding } from '../../../tools/check/lints/finding.ts';
import { LINTS } from '../../../tools/check/lints/all.ts';
import { runLints } from '../../../tools/check/run-lints.ts';

const [anon, user, owner] = await useRoles('anon', 'user', 'owner');
const database = await use(createDatabase());
await runSql(database.uri, `grant create on database ${database.name} to ${owner}`);
const client = await use(connect(database.uri));

let cases = 0;

/** Runs the statements in a new schema, as a role that owns what they create, and returns the findings. */
async function lint(sql: string): Promise<readonly Finding[]> {
  cases += 1;
  const schema = `case_${cases}`;
  await client.query(`create schema ${schema} authorization ${owner}; grant usage on schema ${schema} to ${anon}, ${user};
    set search_path to ${schema}; set role ${owner};
    ${sql.replaceAll('$anon', anon).replaceAll('$user', user)};
    reset role; reset search_path`);
  const findings = await runLints(client, { schemas: [schema], roles: [anon, user] });
  await client.query(`drop schema ${schema} cascade`);
  const show = (text: string): string =>
    text.replaceAll(schema, 'api').replaceAll(anon, 'anon').replaceAll(user, 'user');
  return findings.map((finding) => showNames(finding, show));
}

function showNames({ object, role, message, fix, ...rest }: Finding, show: (text: string) => string): Finding {
  return { ...rest, object: show(object), role: role && show(role), message: show(message), fix: fix && show(fix) };
}

const NOTES: readonly string[] = ['no-primary-key', 'public-execute'];

/** What is found besides the notes that do not matter here: lint, object and role. */
async function found(sql: string, omitted: readonly string[] = NOTES): Promise<readonly string[]> {
  const findings = await lint(sql);
  return findings
    .filter((finding) => !omitted.includes(finding.lint))
    .map(({ lint: name, object, role }) => [name, object, ...(role === null ? [] : [role])].join(' '));
}

const OWN = `create table orders (id int primary key, owner text not null, total numeric);
  alter table orders enable row level security;`;
const MINE = `owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub')`;

describe('P43 planted', () => {
  test.each<[string, string, readonly string[]]>([
    ['a writable table', 'create table t (id int primary key); grant insert on t to $user', ['rls-off api.t user']],
    [
      'a table of which one column is writable',
      'create table t (id int primary key, note text); grant select, update (note) on t to $anon, $user',
      ['rls-off api.t anon', 'rls-off api.t user'],
    ],
    ['no policy', `${OWN} grant select on orders to $user`, ['rls-without-policy api.orders user']],
    [
      'only a restrictive policy',
      `${OWN} grant select on orders to $user; create policy p on orders as restrictive using (${MINE})`,
      ['rls-without-policy api.orders user'],
    ],
    [
      'a write that is always permitted',
      `${OWN} grant select, update on orders to $user; create policy p on orders using (true)`,
      ['policy-always-true api.orders user'],
    ],
    [
      'a write that is permitted by what is true without the row',
      `${OWN} grant select, update on orders to $user;
        create policy p on orders for update using (1 = 1 or owner = 'x'); create policy q on orders for select using (${MINE})`,
      ['policy-always-true api.orders user'],
    ],
    [
      'an insert that is always permitted',
      `${OWN} grant insert on orders to $user; create policy p on orders for insert with check (true)`,
      ['policy-always-true api.orders user'],
    ],
    [
      'personal data for everybody',
      `create table people (id int primary key, email text); alter table people enable row level security;
       grant select on people to $anon; create policy p on people for select using (true)`,
      ['policy-always-true api.people anon'],
    ],
    [
      'two permissive policies',
      `${OWN} grant select on orders to $user; create policy a on orders for select using (${MINE});
       create policy b on orders for select using (total > 5)`,
      ['policies-overlap api.orders user'],
    ],
    [
      'a permissive policy for all beside one for an action',
      `${OWN} grant select, delete on orders to $user; create policy a on orders using (${MINE});
       create policy b on orders for delete using (total > 5)`,
      ['policies-overlap api.orders user'],
    ],
    [
      'a setting for each row',
      `${OWN} grant select on orders to $user;
       create policy p on orders for select using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub')`,
      ['policy-per-row api.orders'],
    ],
    [
      'a claim function for each row',
      `${OWN} grant select on orders to $user;
       create function me() returns text language sql stable set search_path = '' as $$ select 'ann' $$;
       create policy p on orders for select using (owner = me())`,
      ['policy-per-row api.orders'],
    ],
    [
      'a header',
      `${OWN} grant select on orders to $user; create policy p on orders for select
         using (owner = (select current_setting('request.headers', true)::json ->> 'x-user'))`,
      ['policy-trusts-client api.orders'],
    ],
    [
      'user metadata in a function',
      `${OWN} grant select on orders to $user; create function is_admin() returns boolean language sql stable
         as $$ select (current_setting('request.jwt.claims', true)::json -> 'user_metadata' ->> 'admin')::boolean $$;
       create policy p on orders for select using ((select is_admin()))`,
      ['policy-trusts-client api.orders'],
    ],
    [
      'a view of its owner',
      `${OWN} create policy p on orders using (${MINE}); create view v as select * from orders; grant select on v to $anon`,
      ['view-bypasses-policies api.v anon'],
    ],
    [
      'a view over a view of its owner',
      `${OWN} create policy p on orders using (${MINE}); create view low as select * from orders;
       create view v as select * from low; grant select on v to $user`,
      ['view-bypasses-policies api.v user'],
    ],
    [
      'a view over a view of its owner, which reads as its caller',
      `${OWN} create policy p on orders using (${MINE}); create view low as select * from orders;
       create view v with (security_invoker = true) as select * from low; grant select on v to $user`,
      ['view-bypasses-policies api.v user'],
    ],
    [
      'a view over a materialized view',
      `${OWN} create policy p on orders using (${MINE}); create materialized view low as select * from orders;
       create view v as select * from low; grant select on v to $user`,
      ['view-bypasses-policies api.v user'],
    ],
    [
      'a materialized view',
      `${OWN} create policy p on orders using (${MINE}); create materialized view m as select * from orders;
       grant select on m to $anon`,
      ['materialized-view-exposed api.m anon'],
    ],
    [
      'a materialized view over a view',
      `${OWN} create policy p on orders using (${MINE}); create view low as select * from orders;
       create materialized view m as select count(*) from low; grant select on m to $anon`,
      ['materialized-view-exposed api.m anon'],
    ],
    [
      'a definer without a search path',
      `create function f(a int, b text) returns int language sql security definer as 'select 1';
       revoke execute on function f from public; grant execute on function f to $user`,
      ['definer-search-path api.f(integer, text) user'],
    ],
    [
      'a definer whose settings are others',
      `create function f() returns int language sql security definer set work_mem = '1MB' as 'select 1';
       revoke execute on function f from public; grant execute on function f to $user`,
      ['definer-search-path api.f() user'],
    ],
    [
      'a definer for PUBLIC',
      `create function f() returns int language sql security definer set search_path = '' as 'select 1'`,
      ['definer-executable-by-anyone api.f()'],
    ],
    [
      'a definer granted to PUBLIC',
      `create procedure f() language sql security definer set search_path = '' as 'select 1';
       revoke execute on procedure f from public; grant execute on procedure f to public`,
      ['definer-executable-by-anyone api.f()'],
    ],
    [
      'a secret',
      'create table t (id int primary key, password_hash text); grant select on t to $anon',
      ['secret-readable api.t anon'],
    ],
    [
      'a secret in a view',
      `create table t (id int primary key, "token" bytea); create view v as select * from t; grant select on v to $anon`,
      ['secret-readable api.v anon'],
    ],
    [
      'two equal indexes',
      'create table t (id int primary key, a int); create index one on t (a); create index two on t (a)',
      ['duplicate-index api.t'],
    ],
    [
      'an index beside a constraint',
      'create table t (id int primary key); create unique index extra on t (id)',
      ['duplicate-index api.t'],
    ],
    [
      'a foreign key without an index',
      'create table a (id int primary key); create table t (id int primary key, a int references a)',
      ['foreign-key-without-index api.t'],
    ],
    [
      'a foreign key of which only the second column is indexed',
      `create table a (x int, y int, primary key (x, y));
       create table t (id int primary key, x int, y int, foreign key (x, y) references a); create index on t (y)`,
      ['foreign-key-without-index api.t'],
    ],
    [
      'a foreign key of which only some rows are indexed',
      `create table a (id int primary key);
       create table t (id int primary key, a int references a); create index on t (a) where id > 9`,
      ['foreign-key-without-index api.t'],
    ],
  ])('%s', async (_, sql, expected) => {
    expect(await found(sql)).toEqual(expected);
  });

  test.each<[string, string, readonly string[]]>([
    ['a table', 'create table t (id int)', ['no-primary-key api.t']],
    ['a table with a unique key', 'create table "T t" (id int unique)', ['no-primary-key api."T t"']],
    [
      'a function',
      `create function f(a int) returns int language sql as 'select 1'`,
      ['public-execute api.f(integer)'],
    ],
    [
      'a procedure of another type',
      `create procedure f("A b" api_type) language sql as 'select 1'`.replace('api_type', 'text[]'),
      ['public-execute api.f(text[])'],
    ],
  ])('with notes: %s', async (_, sql, expected) => {
    expect(await found(sql, [])).toEqual(expected);
  });
});

describe('P43 P46 safe', () => {
  test.each<[string, string]>([
    ['a table nobody may write', 'create table t (id int primary key); grant select on t to $anon'],
    [
      'rows by a claim',
      `${OWN} grant all on orders to $user; create policy p on orders using (${MINE}) with check (${MINE})`,
    ],
    ['a table without grants', OWN],
    [
      'a claim whose name only contains that of metadata',
      `${OWN} grant select on orders to $user; create policy p on orders
        using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'app_user_metadata_id'))`,
    ],
    [
      'public reading of what is not personal',
      `create table t (id int primary key, title text); alter table t enable row level security;
       grant select on t to $anon; create policy p on t for select using (true)`,
    ],
    [
      'personal columns that the role may not read',
      `create table t (id int primary key, email text); alter table t enable row level security;
       grant select (id) on t to $anon; create policy p on t for select using (true)`,
    ],
    [
      'a true policy for another role',
      `${OWN} grant select, update on orders to $user; create policy mine on orders to $user using (${MINE});
       create policy staff on orders to pg_read_all_data using (true)`,
    ],
    [
      'a restrictive policy beside a permissive one',
      `${OWN} grant select on orders to $user; create policy a on orders for select using (${MINE});
       create policy b on orders as restrictive for select using (true)`,
    ],
    [
      'policies for different actions',
      `${OWN} grant select, insert, update, delete on orders to $user; create policy a on orders for select using (${MINE});
       create policy b on orders for insert with check (${MINE}); create policy c on orders for update using (${MINE});
       create policy d on orders for delete using (${MINE})`,
    ],
    [
      'policies for different roles',
      `${OWN} grant select on orders to $anon, $user; create policy a on orders for select to $anon using (total < 5);
       create policy b on orders for select to $user using (${MINE})`,
    ],
    [
      'a claim function in a subselect',
      `${OWN} grant select on orders to $user;
       create function me() returns text language sql stable set search_path = '' as $$ select 'ann' $$;
       create policy p on orders for select using (owner = (select me()))`,
    ],
    [
      'a function of the row',
      `${OWN} grant select on orders to $user;
       create function is_mine(owner text) returns boolean language sql stable set search_path = '' as $$ select true $$;
       create policy p on orders for select using (is_mine(owner))`,
    ],
    [
      'the name of a setting as a text',
      `${OWN} grant select on orders to $user; create policy p on orders for select using (owner = 'current_setting(')`,
    ],
    [
      'a view of its caller',
      `${OWN} grant select on orders to $user; create policy p on orders using (${MINE});
       create view v with (security_invoker = true) as select * from orders; grant select on v to $user`,
    ],
    [
      'a view over a view of its caller',
      `${OWN} create policy p on orders using (${MINE}); grant select on orders to $user;
       create view low with (security_invoker = true) as select * from orders; grant select on low to $user;
       create view v as select * from low; grant select on v to $user`,
    ],
    [
      'a view whose owner is restricted',
      `${OWN} alter table orders force row level security; create policy p on orders using (${MINE});
       create view v as select * from orders; grant select on v to $anon`,
    ],
    [
      'a view over a table without policies',
      'create table t (id int primary key); create view v as select * from t; grant select on v to $anon',
    ],
    [
      'a materialized view of public rows',
      'create table t (id int primary key); create materialized view m as select * from t; grant select on m to $anon',
    ],
    [
      'a definer with a search path',
      `create function f() returns int language sql security definer set search_path = '' as 'select 1';
       revoke execute on function f from public; grant execute on function f to $user`,
    ],
    [
      'a definer with a body that is resolved',
      `create function f() returns int language sql security definer begin atomic select 1; end;
       revoke execute on function f from public; grant execute on function f to $user`,
    ],
    [
      'a definer nobody may call',
      `create function f() returns int language sql security definer as 'select 1'; revoke execute on function f from public`,
    ],
    [
      'a trigger function of its owner',
      `create function f() returns trigger language plpgsql security definer set search_path = '' as 'begin return new; end'`,
    ],
    [
      'a granted function',
      `create function f() returns int language sql as 'select 1'; grant execute on function f to $user`,
    ],
    ['a function that reads only', `create function f() returns int language sql stable as 'select 1'`],
    [
      'a secret that the role may not read',
      'create table t (id int primary key, password_hash text); grant select (id) on t to $anon',
    ],
    [
      'a column that only sounds like one',
      'create table t (id int primary key, tokens int, hashes text); grant select on t to $anon',
    ],
    [
      'indexes that differ',
      `create table t (id int primary key, a int, b int); create index on t (a); create index on t (a, b);
       create index on t (a desc); create index on t (a) where b > 0; create index on t using hash (a)`,
    ],
    [
      'an indexed foreign key',
      `create table a (id int primary key); create table t (id int primary key, a int references a); create index on t (a, id)`,
    ],
  ])('%s', async (_, sql) => {
    expect(await found(sql, ['no-primary-key'])).toEqual([]);
  });
});

test('P43 superusers are not restricted, and not reported', async () => {
  await client.query('create schema super; create table super.t (id int primary key)');
  expect(await runLints(client, { schemas: ['super'], roles: ['postgres', 'missing'] })).toEqual([]);
});

test('P43 exposed schemas that are missing, or without routes beside one with tables, are reported', async () => {
  await client.query('create schema bare; create schema apart; create table apart.t (id int primary key)');
  const missing = await runLints(client, { schemas: ['apart', 'Nowhere'], roles: [anon] });
  const bare = await runLints(client, { schemas: ['bare'], roles: [anon] });
  const found = await runLints(client, { schemas: ['apart', 'bare'], roles: [anon] });
  await client.query('drop schema apart, bare cascade');
  expect([missing, bare, found]).toMatchObject([
    [
      {
        lint: 'nothing-to-serve',
        level: 'warning',
        object: 'db-schemas ("Nowhere")',
        message: 'The schema "Nowhere" does not exist, so the server does not start.',
        fix: 'CREATE SCHEMA "Nowhere";',
      },
    ],
    [
      {
        object: 'db-schemas (bare)',
        message: 'The API has no routes, but the schema apart has tables.',
        fix: '-- Set db-schemas to apart, or create views and functions in bare.',
      },
    ],
    [],
  ]);
});

test('P48 a finding says what to do', async () => {
  const [finding] = await lint(`${OWN} create policy "My ""own""" on orders using (${MINE});
    create view "V v" as select * from orders; grant select on "V v" to $anon`);
  expect(finding).toEqual({
    lint: 'view-bypasses-policies',
    level: 'warning',
    object: 'api."V v"',
    role: 'anon',
    place: { kind: 'object', object: expect.stringMatching(/^case_\d+\."V v"$/u) as unknown },
    isProved: false,
    message:
      'The view reads api.orders as its owner, so that the policies do not restrict the role. If it is meant to show their rows, write -- rowhouse: allow view-bypasses-policies REASON above its statement.',
    fix: 'ALTER VIEW api."V v" SET (security_invoker = true);',
  });
});

test('P43 the documentation explains every lint, with its level', () => {
  const text = readFileSync(new URL('../../../docs/check.md', import.meta.url), 'utf8');
  const explained = LINTS.filter(({ name, level }) => {
    const label = level === 'note' ? 'Note' : 'Warning';
    return text.includes(`### ${name}\n\n*${label}.* `);
  });
  expect(explained).toEqual(LINTS);
});
