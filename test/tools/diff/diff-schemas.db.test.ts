// `rowhouse diff` without `--api`: the SQL between a folder and a database, a snapshot or nothing.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../support/spawned-server.ts';
import { createDatabase, runRoleSql, runSql } from '../../support/database.ts';
import { useFolders, writeFiles } from '../project/folder.ts';
import { use } from '../../support/use.ts';

const createFolder = useFolders();
const SCHEMA = `create schema api;
create table api.customers (id integer primary key, name text not null);
create table api.orders (id integer primary key, customer integer, total numeric, note text, place text);
grant select on api.orders to diff_reader;`;
const ROLES = `create role diff_reader nologin; create role diff_writer nologin password 'hunter2';`;

const database = await use(createDatabase());
await runRoleSql(
  database.uri,
  `do $$ begin if not exists (select from pg_roles where rolname = 'diff_reader') then
       create role diff_reader; create role diff_login login; end if; end $$; ${SCHEMA}`,
);

function read(folder: string, name: string): string {
  return readFileSync(path.join(folder, 'migrations', name), 'utf8');
}

test('P20 P23 a folder and a database of the same schema do not differ, whatever Rowhouse keeps in it', async () => {
  await runSql(
    database.uri,
    'create schema if not exists rowhouse; create table if not exists rowhouse.migrations (name text primary key)',
  );
  const folder = createFolder({ 'schema/all.sql': SCHEMA, 'roles.sql': 'create role diff_reader nologin;' });
  const { code, stdout, stderr } = await runProgram(['diff', folder, database.uri]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'No difference.\n', stderr: '' });
});

test('P20b P21 P22 a database: marks, indexes of their own, constraints checked later, renames, roles', async () => {
  const changed = SCHEMA.replace('total numeric', 'total bigint')
    .replace(', note text', '')
    .replace('customer integer', 'customer integer references api.customers, constraint positive check (total > 0)')
    .replace('place text', '\n city text -- renamed from place\n');
  const folder = createFolder({
    'roles.sql': `${ROLES} grant diff_reader to diff_writer; alter role diff_writer set work_mem = '8MB';`,
    'schema/all.sql': `${changed}
create index orders_total on api.orders (total); comment on index api.orders_total is 'by total';
create index orders_customer on api.orders (customer);
create table api.items (id integer primary key, n integer); create index on api.items (n);
alter default privileges in schema api grant select on tables to diff_reader;`,
  });
  const { code, stdout, stderr } = await runProgram(['diff', folder, database.uri]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`-- File 1 of 5
set local search_path = pg_catalog;
set local check_function_bodies = off;

do $$ begin if not exists (select from pg_catalog.pg_roles where rolname = 'diff_writer') then create role "diff_writer" NOSUPERUSER INHERIT NOCREATEROLE NOCREATEDB NOLOGIN NOREPLICATION NOBYPASSRLS CONNECTION LIMIT -1; end if; end $$;

grant "diff_reader" to "diff_writer";

alter role "diff_writer" set "work_mem" to '8MB';

-- Locks: ACCESS EXCLUSIVE on api.orders, against reads and writes
alter table "api"."orders" rename column "place" to "city";

-- LOSES DATA: column api.orders.note
-- Locks: ACCESS EXCLUSIVE on api.orders, against reads and writes
ALTER TABLE "api"."orders" DROP COLUMN "note";

CREATE TABLE "api"."items" ("id" integer NOT NULL, "n" integer, CONSTRAINT "items_pkey" PRIMARY KEY (id));

-- Locks: ACCESS EXCLUSIVE on api.orders, against reads and writes
ALTER TABLE "api"."orders" ALTER COLUMN "total" DROP DEFAULT;

-- LOSES DATA: values of column api.orders.total that do not fit the new type
-- Locks: ACCESS EXCLUSIVE on api.orders, against reads and writes, while api.orders is rewritten
ALTER TABLE "api"."orders" ALTER COLUMN "total" TYPE bigint USING "total"::bigint;

-- Locks: ACCESS EXCLUSIVE on api.orders, against reads and writes
-- Locks: SHARE ROW EXCLUSIVE on api.customers, against writes
ALTER TABLE "api"."orders" ADD CONSTRAINT "orders_customer_fkey" FOREIGN KEY (customer) REFERENCES api.customers(id) NOT VALID;

-- Locks: ACCESS EXCLUSIVE on api.orders, against reads and writes
ALTER TABLE "api"."orders" ADD CONSTRAINT "positive" CHECK ((total > 0)) NOT VALID;

CREATE INDEX items_n_idx ON api.items USING btree (n);

-- File 2 of 5
-- rowhouse: no transaction

CREATE INDEX CONCURRENTLY orders_total ON api.orders USING btree (total);

-- File 3 of 5
set local search_path = pg_catalog;
set local check_function_bodies = off;

COMMENT ON INDEX "api"."orders_total" IS 'by total';

ALTER DEFAULT PRIVILEGES IN SCHEMA "api" GRANT SELECT ON TABLES TO "diff_reader";

-- File 4 of 5
set local search_path = pg_catalog;
set local check_function_bodies = off;

ALTER TABLE "api"."orders" VALIDATE CONSTRAINT "orders_customer_fkey";

ALTER TABLE "api"."orders" VALIDATE CONSTRAINT "positive";

-- File 5 of 5
-- rowhouse: no transaction

CREATE INDEX CONCURRENTLY orders_customer ON api.orders USING btree (customer);

`);
});

test('P22b P23b a loss is only written when it is allowed; --check exits with 1', async () => {
  const folder = createFolder({
    'schema/all.sql': SCHEMA.replace(', note text', ''),
    'roles.sql': 'create role diff_reader nologin;',
  });
  expect(await runProgram(['diff', '--check', folder, database.uri])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: '',
  });
  expect(await runProgram(['diff', '--write', 'drop_note', folder, database.uri])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `Nothing was written, because the migration loses data:
  column api.orders.note
Add --allow-loss.
`,
  });
  expect(existsSync(path.join(folder, 'migrations'))).toBe(false);
  const written = await runProgram(['diff', '--write', 'drop_note', '--allow-loss', folder, database.uri]);
  expect(written).toMatchObject({
    code: 0,
    stdout: 'migrations/0001_drop_note.sql\n',
    stderr: '',
  });
  expect(read(folder, '0001_drop_note.sql')).toBe(`set local search_path = pg_catalog;
set local check_function_bodies = off;

-- LOSES DATA: column api.orders.note
-- Locks: ACCESS EXCLUSIVE on api.orders, against reads and writes
ALTER TABLE "api"."orders" DROP COLUMN "note";
`);
});

test('P20c P30 P50 nothing, then the state of the migrations: they bring an empty database to the folder', async () => {
  const folder = createFolder({
    'roles.sql': `${ROLES} alter role diff_writer set app.jwt_secret = 'hunter3'; alter role diff_writer set work_mem = '8MB';`,
    'schema/all.sql': SCHEMA,
  });
  expect(await runProgram(['diff', '--write', 'first', folder])).toMatchObject({
    code: 0,
    stdout: 'migrations/0001_first.sql\nmigrations/snapshot.json\n',
  });
  const first = read(folder, '0001_first.sql');
  expect(first + read(folder, 'snapshot.json')).not.toMatch(/hunter/u);
  expect(first).toContain(
    `if not exists (select from pg_catalog.pg_roles where rolname = 'diff_writer') then create role`,
  );
  expect(first).toContain(`alter role "diff_writer" set "work_mem" to '8MB';`);
  expect(await runProgram(['diff', folder])).toMatchObject({ code: 0, stdout: 'No difference.\n' });

  writeFiles(folder, {
    'roles.sql': `${ROLES} alter role diff_writer set app.jwt_secret = 'hunter3'; grant diff_reader to diff_writer;`,
    'schema/items.sql':
      'create table api.items (id integer primary key);\ncreate index orders_note on api.orders (note);',
  });
  const second = await runProgram(['diff', '--write', 'items', folder]);
  expect(second).toMatchObject({
    code: 0,
    stdout: 'migrations/0002_items.sql\nmigrations/0003_items.sql\nmigrations/snapshot.json\n',
  });
  expect(read(folder, '0002_items.sql')).toContain(`grant "diff_reader" to "diff_writer";

alter role "diff_writer" reset "work_mem";

CREATE TABLE "api"."items" ("id" integer NOT NULL, CONSTRAINT "items_pkey" PRIMARY KEY (id));`);
  expect(read(folder, '0003_items.sql')).toBe(`-- rowhouse: no transaction

CREATE INDEX CONCURRENTLY orders_note ON api.orders USING btree (note);
`);

  const empty = await createDatabase();
  try {
    const migrated = await runProgram(['migrate', folder, empty.uri]);
    expect(migrated).toMatchObject({ code: 0, stdout: 'Applied 3 migrations.\n' });
    await runRoleSql(empty.uri, `alter role diff_writer set app.jwt_secret = 'another'`);
    expect(await runProgram(['diff', folder, empty.uri])).toMatchObject({ code: 0, stdout: 'No difference.\n' });
  } finally {
    await empty.drop();
    await runRoleSql(database.uri, 'drop role if exists diff_writer');
  }
});

test('P24k the migrations stand for the API of before, and a comment for a renamed column', async () => {
  const folder = createFolder({ 'roles.sql': 'create role diff_reader nologin;', 'schema/all.sql': SCHEMA });
  expect((await runProgram(['diff', '--write', 'first', folder])).code).toBe(0);
  writeFiles(folder, { 'schema/all.sql': SCHEMA.replace('place text', '\n city text -- renamed from place\n') });
  const { code, stdout } = await runProgram(['diff', '--api', '--json', folder]);
  const { changes } = JSON.parse(stdout) as { readonly changes: readonly unknown[] };
  expect([code, changes]).toMatchObject([1, [{ kind: 'column-renamed', path: '/orders', name: 'place' }]]);
});

test('P20d what is no target, and a damaged snapshot, exit with 2', async () => {
  const folder = createFolder({ 'schema/all.sql': SCHEMA, 'roles.sql': ROLES, 'snapshot.json': '{}' });
  expect(await runProgram(['diff', folder, 'nowhere.json'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'nowhere.json is neither a folder, nor a snapshot file, nor a URI\n',
  });
  const { code, stderr } = await runProgram(['diff', folder, path.join(folder, 'snapshot.json')]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/snapshot\.json: this is no snapshot of `rowhouse diff --write`\n$/u);
});
