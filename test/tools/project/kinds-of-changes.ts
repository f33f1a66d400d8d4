// Changes of every kind of object, each as two descriptions of the same schema. Roles: `web_anon`, `staff`.

export interface KindOfChange {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  /** Fills the tables of the first description. */
  readonly rows?: string;
  /** Whether the way back drops values. */
  readonly isLossy?: true;
}

const ITEMS = `create table items (id int primary key, name text, price numeric, made date default current_date);`;
const ROWS = `insert into items (id, name, price) values (1, 'pen', 2.5), (2, 'ink', null);`;

export const CHANGES: readonly KindOfChange[] = [
  {
    kind: 'tables',
    from: `${ITEMS} create unlogged table log (at timestamptz);`,
    to: `${ITEMS} create table log (at timestamptz) with (fillfactor = 70);
      create table parts (id int generated always as identity primary key, item int references items, unique (item, id));
      create table "Odd ""name""" ("select" int primary key, "ü" text);`,
    rows: ROWS,
  },
  {
    kind: 'columns',
    from: ITEMS,
    to: `create table items (id int primary key, name varchar(20), price numeric, made date default current_date,
      note text, tags text[] not null default '{}', size int not null default 3, at timestamptz default now());`,
    rows: ROWS,
    isLossy: true,
  },
  {
    kind: 'types of columns',
    from: `create table items (id int primary key, name varchar(30), code varchar(8) default 'x', amount int, ok text default 'yes');
      create index on items (amount); create view big as select id, amount from items where amount > 10;
      grant select on big to web_anon; comment on view big is 'Large';`,
    to: `create table items (id bigint primary key, name text, code text default 'x', amount bigint, ok text default 'yes');
      create index on items (amount); create view big as select id, amount from items where amount > 10;
      grant select on big to web_anon; comment on view big is 'Large';`,
    rows: `insert into items (id, name, code, amount, ok) values (1, 'pen', 'a', 5, 'no'), (2, 'ink', 'b', 50, null);`,
  },
  {
    kind: 'defaults',
    from: `create table items (id int default 1, name text default 'a' || 'b', at timestamptz, n numeric default 0.5);`,
    to: `create table items (id int, name text default lower('AB'), at timestamptz default now(), n numeric default 0.5);`,
    rows: `insert into items (id, name) values (1, 'x');`,
  },
  {
    kind: 'NOT NULL',
    from: `create table items (id int not null, name text);`,
    to: `create table items (id int, name text not null);`,
    rows: `insert into items (id, name) values (1, 'x');`,
  },
  {
    kind: 'values added to an enum',
    from: `create type mood as enum ('sad', 'happy'); create table items (id int primary key, mood mood default 'sad');`,
    to: `create type mood as enum ('sad', 'so so', 'happy', 'glad'); create table items (id int primary key, mood mood default 'sad');`,
    rows: `insert into items (id, mood) values (1, 'happy'), (2, null);`,
  },
  {
    kind: 'a new enum value used in the same save',
    from: `create type mood as enum ('sad', 'happy'); create table items (id int primary key, mood mood default 'sad');`,
    to: `create type mood as enum ('sad', 'happy', 'glad'); create table items (id int primary key, mood mood default 'glad', check (mood <> 'glad' or id > 0));
      create view glad as select * from items where mood = 'glad';`,
    rows: `insert into items (id, mood) values (1, 'happy'), (2, null);`,
  },
  {
    kind: 'composite types',
    from: `create type pair as (a int, b text); create table items (id int primary key, pair pair);`,
    to: `create type pair as (a int, b text, c date); create type other as (x numeric(5, 2)); create table items (id int primary key, pair pair);`,
    rows: `insert into items (id, pair) values (1, row(1, 'x'));`,
  },
  {
    kind: 'range types',
    from: `create table items (id int primary key);`,
    to: `create type floats as range (subtype = float8, subtype_diff = float8mi); create table items (id int primary key, span floats);`,
    rows: 'insert into items values (1);',
  },
  {
    kind: 'domains',
    from: `create domain amount as int check (value > 0); create domain email as text; create table items (id int primary key, n amount, e email);`,
    to: `create domain amount as int default 7 constraint positive check (value >= 0); create domain email as text not null constraint at check (value like '%@%');
      create domain code as varchar(5) collate "C"; create table items (id int primary key, n amount, e email, c code);`,
    rows: `insert into items (id, n, e) values (1, 5, 'a@b');`,
  },
  {
    kind: 'constraints',
    from: `create table parents (id int primary key, code text not null);
      create table items (id int primary key, parent int references parents, n int, code text unique);`,
    to: `create table parents (id int primary key, code text not null, unique (code));
      create table items (id int, parent int, n int constraint positive check (n > 0), code text,
        constraint items_key primary key (id, n), constraint own foreign key (parent) references parents on delete cascade deferrable initially deferred,
        constraint code foreign key (code) references parents (code), exclude using btree (n with =));`,
    rows: `insert into parents (id, code) values (1, 'x'); insert into items (id, parent, n, code) values (1, 1, 5, 'x');`,
  },
  {
    kind: 'constraints altered under their names',
    from: `create table parents (id int primary key);
      create table items (id int primary key, parent int, n int, constraint c check (n > 0), constraint u unique (n), constraint f foreign key (parent) references parents);`,
    to: `create table parents (id int primary key);
      create table items (id int primary key, parent int, n int, constraint c check (n > 1), constraint u unique nulls not distinct (n, parent), constraint f foreign key (parent) references parents on update cascade not valid);`,
    rows: `insert into parents (id) values (1); insert into items (id, parent, n) values (1, 1, 5);`,
  },
  {
    kind: 'mutual foreign keys',
    from: `create table a (id int primary key, b int); create table b (id int primary key, a int);`,
    to: `create table a (id int primary key, b int); create table b (id int primary key, a int references a); alter table a add constraint a_b foreign key (b) references b;`,
    rows: `insert into a values (1, 1); insert into b values (1, 1);`,
  },
  {
    kind: 'indexes',
    from: `${ITEMS} create index by_name on items (name); create index by_price on items (price desc nulls last);`,
    to: `${ITEMS} create index by_name on items (lower(name) text_pattern_ops) where price > 0; create unique index one on items (id) include (name);
      create index hashed on items using hash (name); create index brin on items using brin (made) with (pages_per_range = 4); alter table items cluster on items_pkey;`,
    rows: ROWS,
  },
  {
    kind: 'views',
    from: `${ITEMS} create view named as select id, name from items; create view outer_named as select name from named where id > 1;`,
    to: `${ITEMS} create view named with (security_invoker = true, security_barrier) as select id, name, price from items where price > 0 with check option;
      create view outer_named as select upper(name) as name, count(*) from named group by 1; create view third as select * from outer_named;`,
    rows: ROWS,
  },
  {
    kind: 'views with fewer or other columns',
    from: `${ITEMS} create view named as select id, name, price from items; create view outer_named as select id, name from named;
      grant select on named, outer_named to web_anon; comment on column named.id is 'Key';`,
    to: `${ITEMS} create view named as select name, id::text as id from items; create view outer_named as select id, name from named;
      grant select on named, outer_named to web_anon; comment on column named.id is 'Key';`,
    rows: ROWS,
  },
  {
    kind: 'materialized views',
    from: `${ITEMS} create materialized view totals as select count(*) as n from items; create unique index on totals (n);`,
    to: `${ITEMS} create materialized view totals as select count(*) as n, sum(price) as sum from items; create unique index on totals (n); create materialized view none as select 1 as x with no data;`,
    rows: ROWS,
  },
  {
    kind: 'functions',
    from: `create function twice(n int) returns int language sql immutable as 'select n * 2';
      create procedure run() language plpgsql as $$ begin null; end $$;`,
    to: `create function twice(n int) returns int language sql stable parallel safe security definer set search_path = pg_catalog as $$ select n + n $$;
      create function triple(n int, factor int default 3) returns int begin atomic select n * factor; end;
      create function rows(out a int, out b text) returns setof record language sql as $$ select 1, 'x' $$;
      create procedure run() language plpgsql as $$ begin perform 1; end $$; create procedure walk(inout n int) language sql as 'select n';`,
  },
  {
    kind: 'functions with other arguments and results',
    from: `create table items (id int primary key, n int);
      create function f(a int) returns int language sql immutable as 'select a'; create function g() returns text language sql as $$ select 'x' $$;
      create function t(a int default 1) returns table (x int) language sql as 'select a';
      create view v as select f(1) as one; create policy p on items using (f(n) > 0); comment on function f is 'F'; grant execute on function f to web_anon;`,
    to: `create table items (id int primary key, n int);
      create function f(b bigint) returns bigint language sql immutable as 'select b'; create function g() returns int language sql as $$ select 1 $$;
      create function t(b int) returns table (x int, y text) language sql as $$ select b, 'y' $$;
      create view v as select f(1) as one; create policy p on items using (f(n) > 0); comment on function f is 'F'; grant execute on function f to web_anon;`,
    rows: 'insert into items (id, n) values (1, 1);',
  },
  {
    kind: 'a function that a default, a check, an index and a generated column use',
    from: `create function f(a int) returns int language sql immutable as 'select a';
      create table items (id int primary key, n int default f(1), check (f(n) > 0), g int generated always as (f(id)) stored); create index on items (f(n));`,
    to: `create function f(a int) returns int language sql immutable as 'select a + 0';
      create table items (id int primary key, n int default f(2), check (f(n) > -1), g int generated always as (f(id)) stored); create index on items (f(n));`,
    rows: 'insert into items (id, n) values (1, 1);',
  },
  {
    kind: 'aggregates and operators',
    from: `create table items (id int primary key);`,
    to: `create table items (id int primary key); create function add(int, int) returns int language sql immutable as 'select $1 + $2';
      create aggregate total (int) (sfunc = add, stype = int, initcond = '0');`,
  },
  {
    kind: 'triggers',
    from: `${ITEMS} create function stamp() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger before before insert on items for each row execute function stamp(); create trigger off after delete on items execute function stamp();`,
    to: `${ITEMS} create function stamp() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger before before insert or update of name on items for each row when (new.name is not null) execute function stamp(); create trigger off after delete on items execute function stamp(); alter table items disable trigger off;
      create constraint trigger late after insert on items deferrable initially deferred for each row execute function stamp();
      create trigger seen after update on items referencing old table as old_rows for each statement execute function stamp();`,
    rows: ROWS,
  },
  {
    kind: 'rules and event triggers',
    from: ITEMS,
    to: `${ITEMS} create rule nothing as on delete to items do instead nothing;
      create function ddl() returns event_trigger language plpgsql as $$ begin null; end $$;`,
    rows: ROWS,
  },
  {
    kind: 'row-level security',
    from: `${ITEMS} create table logs (id int); alter table logs enable row level security, force row level security;`,
    to: `${ITEMS} create table logs (id int); alter table items enable row level security, force row level security;`,
    rows: ROWS,
  },
  {
    kind: 'policies',
    from: `${ITEMS} alter table items enable row level security; create policy own on items using (id > 0); create policy readers on items for select to web_anon using (true);`,
    to: `${ITEMS} alter table items enable row level security; create policy own on items as restrictive for update to web_anon, staff using (id > 1) with check (id < 9);
      create policy readers on items for select using (true); create policy more on items for insert to public with check (exists (select from items as other where other.id = items.id));`,
    rows: ROWS,
  },
  {
    kind: 'a policy on a column whose type changes',
    from: `create table items (id int primary key, owner varchar(10)); alter table items enable row level security; create policy own on items using (owner = current_user);`,
    to: `create table items (id int primary key, owner text); alter table items enable row level security; create policy own on items using (owner = current_user);`,
    rows: `insert into items (id, owner) values (1, 'ann');`,
  },
  {
    kind: 'privileges',
    from: `${ITEMS} create sequence numbers; create function f() returns int language sql as 'select 1'; create schema other; create type kind as enum ('a');
      grant select, insert on items to web_anon; grant usage on sequence numbers to web_anon; grant usage on schema other to web_anon;`,
    to: `${ITEMS} create sequence numbers; create function f() returns int language sql as 'select 1'; create schema other; create type kind as enum ('a');
      grant select, update on items to web_anon; grant all on items to staff with grant option; revoke execute on function f from public; grant execute on function f to staff;
      grant usage, create on schema other to staff; revoke usage on type kind from public; grant select on sequence numbers to public;`,
    rows: ROWS,
  },
  {
    kind: 'privileges on columns',
    from: `${ITEMS} grant select (id, name) on items to web_anon; grant select on items to staff; create view v as select id, name from items; grant select (id) on v to web_anon;`,
    to: `${ITEMS} grant select (id, price), update (name), references (id) on items to web_anon; grant select (id) on items to staff with grant option; create view v as select id, name from items; grant select (name) on v to web_anon;`,
    rows: ROWS,
  },
  {
    kind: 'comments',
    from: `${ITEMS} comment on table items is 'Things'; comment on column items.id is 'Key'; comment on constraint items_pkey on items is 'Unique'; create index i on items (name); comment on index i is 'Fast';`,
    to: `${ITEMS} comment on table items is 'It''s'; comment on column items.name is 'Name'; create index i on items (name); comment on schema public is 'All';
      create function f() returns int language sql as 'select 1'; comment on function f() is E'Two\\nlines'; create type kind as enum ('a'); comment on type kind is 'K';
      create policy p on items; comment on policy p on items is 'P'; create sequence s; comment on sequence s is 'S'; create view v as select 1 as x; comment on view v is 'V'; comment on column v.x is 'X';
      create domain d as int; comment on domain d is 'D'; alter domain d add constraint c check (value > 0); comment on constraint c on domain d is 'C';`,
    rows: ROWS,
  },
  {
    kind: 'publications',
    from: `${ITEMS} create table logs (id int primary key, t text); create publication news for table items; create publication all_of for all tables;`,
    to: `${ITEMS} create table logs (id int primary key, t text); create publication news for table items (id, name) where (id > 0), table logs with (publish = 'insert');
      create schema more; create publication schemas for tables in schema more;`,
    rows: ROWS,
  },
  {
    kind: 'sequences',
    from: `create sequence numbers; create table items (id int default nextval('numbers'), n serial);`,
    to: `create sequence numbers as smallint increment 5 minvalue 5 maxvalue 500 start 10 cache 3 cycle; create table items (id int default nextval('numbers'), n serial); create sequence more owned by items.n;`,
    rows: 'insert into items default values;',
  },
  {
    kind: 'serial and identity',
    from: `create table items (id int primary key, a int generated always as identity, b int not null, c serial, d int not null);`,
    to: `create table items (id int primary key, a int generated by default as identity (start 100 increment 10), b int generated always as identity, c int not null, d serial);`,
    rows: 'insert into items (id, b, d) values (1, 1, 1);',
  },
  {
    kind: 'generated columns',
    from: `create table items (id int primary key, n int, doubled int generated always as (n * 2) stored, tripled int generated always as (n * 3) stored);`,
    to: `create table items (id int primary key, n int, doubled int generated always as (n + n) stored, tripled int, half int generated always as (n / 2) stored);`,
    rows: 'insert into items (id, n) values (1, 4);',
    isLossy: true,
  },
  {
    kind: 'partitions',
    from: `create table items (id int, at date not null, note text, primary key (id, at)) partition by range (at);
      create table items_2025 partition of items for values from ('2025-01-01') to ('2026-01-01'); create table items_rest partition of items default;`,
    to: `create table items (id int, at date not null, note text, size int, primary key (id, at)) partition by range (at); create index on items (note);
      create table items_2025 partition of items for values from ('2025-01-01') to ('2026-01-01'); create table items_rest partition of items default;
      create table items_2024 partition of items for values from ('2024-01-01') to ('2025-01-01') partition by range (at); create table items_2024_a partition of items_2024 for values from ('2024-02-01') to ('2024-03-01');`,
    rows: `insert into items (id, at, note) values (1, '2025-05-05', 'x'), (2, '2030-01-01', 'y');`,
  },
  {
    kind: 'inheritance',
    from: `create table parents (id int, note text); create table items (more int) inherits (parents);`,
    to: `create table parents (id int, note text, extra text default 'e'); create table items (more int, third int) inherits (parents);`,
    rows: `insert into items (id, note, more) values (1, 'x', 2);`,
    isLossy: true,
  },
  {
    kind: 'owners',
    from: `${ITEMS} create view v as select 1 as x; create function f() returns int language sql as 'select 1'; create schema other;`,
    to: `${ITEMS} create view v as select 1 as x; create function f() returns int language sql as 'select 1'; create schema other;
      alter table items owner to staff; alter view v owner to web_anon; alter function f owner to staff; alter schema other owner to staff;`,
    rows: ROWS,
  },
  {
    kind: 'options of tables and columns',
    from: `${ITEMS} create table logs (id int primary key, n int not null unique);`,
    to: `${ITEMS} create table logs (id int primary key, n int not null unique); alter table items set (fillfactor = 80, autovacuum_enabled = false); alter table items alter name set storage external, alter name set statistics 500;
      alter table items replica identity full; alter table logs replica identity using index logs_n_key; alter table items alter name set compression pglz;`,
    rows: ROWS,
  },
  {
    kind: 'extensions, collations and schemas',
    from: `create schema "My api"; create table "My api".items (id int primary key);`,
    to: `create schema "My api"; create extension citext schema "My api"; create collation numeric (provider = icu, locale = 'en-u-kn-true', deterministic = false); create table "My api".items (id int primary key, name "My api".citext, c text collate numeric);
      create schema third; create table third.items (id int);`,
    rows: 'insert into "My api".items values (1);',
  },
  {
    kind: 'a table that moves to another schema',
    from: `create schema a; create schema b; create table a.empty (id int primary key);`,
    to: `create schema a; create schema b; create table b.empty (id int primary key);`,
  },
  {
    kind: 'a view that becomes a table',
    from: `${ITEMS} create view v as select id from items; create function f() returns int language sql as 'select 1';`,
    to: `${ITEMS} create table v (id int); create procedure f() language sql as 'select 1';`,
    rows: ROWS,
  },
  {
    kind: 'a privilege on a table that becomes one on columns',
    from: `${ITEMS} grant select, update on items to web_anon; grant insert (id) on items to web_anon;`,
    to: `${ITEMS} grant select (id), update (name), insert (id) on items to web_anon;`,
    rows: ROWS,
  },
  {
    kind: 'default privileges',
    from: `${ITEMS} alter default privileges grant select on tables to web_anon;`,
    to: `alter default privileges grant insert on tables to web_anon; alter default privileges in schema public grant execute on functions to staff;
      alter default privileges revoke execute on functions from public; ${ITEMS} create function f() returns int language sql as 'select 1';`,
    rows: ROWS,
  },
];
