// Changes that break no client: none of them is reported as breaking, and those that clients cannot notice are silent.
import { expect, test } from 'vitest';
import { compareApis } from '../../../tools/api-diff/compare-apis.ts';
import { createEmptyApi } from '../../../tools/api-diff/load-api.ts';
import { ANON, summarize, USER, useSchemaDiff } from './diff-schemas.ts';

const { compare, load } = await useSchemaDiff();

const BASE = `create type state as enum ('new', 'old');
  create domain price as numeric check (value >= 0);
  create table customers (id integer primary key, name text not null, mail text unique);
  create table orders (id integer primary key, customer integer references customers, total price, state state, note varchar(20),
    at timestamptz not null default now(), constraint positive check (total > 0));
  create view names as select id, name from customers;
  create function total(customer integer) returns numeric stable language sql as 'select sum(total) from api.orders where orders.customer = $1';
  create function vat(orders) returns numeric stable language sql as 'select $1.total / 5';
  create function pair() returns table (a integer, b text) stable language sql as 'select 1, ''x''';
  alter table orders enable row level security;
  create policy own on orders using (customer > 0);
  grant select, insert, update, delete on orders, customers to ${ANON};
  grant select on names to ${ANON}, ${USER};`;

const SILENT: readonly string[] = [
  `comment on table orders is 'Orders'`,
  `comment on column orders.total is 'Sum'`,
  `comment on function total is 'Sum'`,
  `create index on orders (total)`,
  `create index on orders (customer, at desc)`,
  `alter table orders drop constraint positive`,
  `alter table orders rename constraint positive to above_zero`,
  `alter table customers rename constraint customers_mail_key to unique_mail`,
  `alter policy own on orders rename to owners`,
  `drop policy own on orders; create policy a on orders for select using (customer > 0); create policy b on orders for insert with check (customer > 0);
   create policy c on orders for update using (customer > 0); create policy d on orders for delete using (customer > 0)`,
  `alter table orders alter at set default clock_timestamp()`,
  `alter table orders alter note set default 'x'`,
  `alter table orders add constraint same check (total > 0)`,
  `alter table customers add unique (mail, name)`,
  `create function private.helper() returns integer language sql as 'select 1'`,
  `create table private.log (id integer)`,
  `create table secrets (id integer)`,
  `create view secret_names as select * from customers`,
  `create function bump() returns trigger language plpgsql as 'begin return new; end'; create trigger bump before insert on orders for each row execute function bump()`,
  `create or replace function total(customer integer) returns numeric stable language sql as 'select 0.0'`,
  `create or replace function total(customer integer) returns numeric immutable language sql as 'select 0.0'`,
  `create or replace function total(customer integer) returns numeric stable security definer language sql as 'select 0.0'`,
  `create or replace function vat(orders) returns numeric stable language sql as 'select $1.total / 4'`,
  `create or replace view names as select id, name from customers where id > 0`,
  `alter view mails set (security_invoker = true)`,
  `create domain cost as numeric check (value >= 0); drop function vat; alter table orders alter total type cost; create function vat(orders) returns numeric stable language sql as 'select 1.0'`,
  `grant select on customers to api_diff_staff`,
  `revoke select on names from ${USER}; grant select on names to api_diff_staff; grant api_diff_staff to ${USER}`,
  `grant all on private.log2 to ${ANON}`,
  `alter table orders set (fillfactor = 70)`,
  `alter table orders alter note set statistics 10`,
  `alter table orders alter note set storage external`,
  `create statistics on customer, total from orders`,
  `create sequence numbers`,
  `create type mood as enum ('good', 'bad')`,
  `alter table orders replica identity full`,
  `drop function pair; create function pair() returns table (a integer, b text) stable rows 5 language sql as 'select 2, ''y'''`,
  `alter table customers cluster on customers_pkey`,
];

/** None of these breaks a client, but clients can notice them. */
const COMPATIBLE: readonly (readonly [sql: string, ...found: readonly string[]])[] = [
  [`alter table orders add extra text`, 'compatible column-added /orders extra'],
  [`alter table orders add extra text not null default 'x'`, 'compatible column-added /orders extra'],
  [`alter table orders add extra text check (extra <> '')`, 'compatible column-added /orders extra'],
  [`alter table customers add extra integer unique`, 'compatible column-added /customers extra'],
  [`alter table customers alter name set default ''`, 'compatible column-became-optional /customers name'],
  [`create or replace view names as select id, name, mail from customers`, 'compatible column-added /names mail'],
  [
    `create table items (id integer primary key, "order" integer references orders); grant select on items to ${ANON}`,
    'compatible route-added /items',
    'compatible embed-added /orders items',
  ],
  [
    `create view totals as select total from orders; grant select on totals to ${ANON}`,
    'compatible route-added /totals',
  ],
  [
    `create function average() returns numeric stable language sql as 'select 1.0'`,
    'compatible function-added /rpc/average',
  ],
  [
    `drop function total; create function total(customer integer, year integer default null) returns numeric stable language sql as 'select 1.0'`,
    'compatible argument-added-optional /rpc/total year',
  ],
  [
    `drop function pair; create function pair() returns table (a integer, b text, c text) stable language sql as 'select 1, ''x'', ''y'''`,
    'compatible column-added /rpc/pair c',
  ],
  [
    `create function age(customers) returns integer stable language sql as 'select 1'`,
    'compatible column-added /customers age',
  ],
  [
    `create function latest(customers) returns setof orders rows 1 stable language sql as 'select * from api.orders limit 1'`,
    'compatible embed-added /customers latest',
  ],
];

test.each(SILENT)('P25 silent: %s', async (sql) => {
  const more = `create view mails as select mail from customers; grant select on mails to ${ANON}`;
  const setUp = `create table private.log2 (id integer); revoke api_diff_staff from ${USER}; ${BASE} ${more}`;
  expect((await compare(setUp, `${setUp}; ${sql}`)).map(summarize)).toEqual([]);
});

test.each(COMPATIBLE)('P25b compatible: %s', async (sql, ...found) => {
  expect((await compare(BASE, `${BASE}; ${sql}`)).map(summarize)).toEqual(found);
});

test('P25c the order of columns, overloads and tables does not matter, nor do the oids', async () => {
  const tables = ['create table a (x integer, y text)', 'create table b (z integer primary key)'];
  const grant = `grant all on all tables in schema api to ${ANON}`;
  const before = [...tables, grant].join(';');
  const after = ['create table b (z integer primary key)', 'create table a (y text, x integer)', grant].join(';');
  expect(await compare(before, after)).toEqual([]);
});

test('P24f compared with nothing, every route and function is new', async () => {
  const roles = [ANON, USER];
  const changes = compareApis({ old: createEmptyApi(roles), new: await load(BASE), renames: new Map() });
  expect(changes.map((change) => `${summarize(change)} ${change.roles.length}`)).toEqual([
    'compatible route-added /customers 1',
    'compatible route-added /names 2',
    'compatible route-added /orders 1',
    'compatible function-added /rpc/pair 2',
    'compatible function-added /rpc/total 2',
  ]);
});

test('P24d without web roles, every route counts and no role is listed', async () => {
  const [old, current] = [await load('create table a (x integer)', []), await load('create table b (x integer)', [])];
  const changes = compareApis({ old, new: current, renames: new Map() });
  expect(changes.map((change) => [summarize(change), change.roles])).toEqual([
    ['breaking route-removed /a', []],
    ['compatible route-added /b', []],
  ]);
});

test('P24e names that need quoting are compared and reported as they are', async () => {
  const table = (columns: string): string =>
    `create table "Odd ""Name""" (${columns}); grant all on "Odd ""Name""" to ${ANON}`;
  const changes = await compare(table('"a b" integer, "ä$" text'), table('"ä$" text'));
  expect(changes.map(summarize)).toEqual(['breaking column-removed /Odd "Name" a b']);
});
