// The command `init` on a database that has tables already.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Ended, runProgram } from '../../support/spawned-server.ts';
import { adminUri, createDatabase, runRoleSql, runSql } from '../../support/database.ts';
import { useFolder } from '../../support/use.ts';

const folder = useFolder();
const database = await createDatabase();
const [anon, editor, login] = [`${database.name}_anon`, `${database.name}_editor`, `${database.name}_gate`];
await runRoleSql(
  database.uri,
  `create schema api; create schema other; create table other.lonely (id int);
     create table album (id serial primary key, title text);
     create table "Artist" (id int generated always as identity primary key);
     create table open (id int primary key); grant select on open to public;
     create view titles as select title from album;
     create table part (id int) partition by list (id); create table part_one partition of part for values in (1);`,
);

afterAll(async () => {
  await database.drop();
  await runSql(adminUri(), `drop role if exists ${login}; drop role if exists ${anon}; drop role if exists ${editor}`);
});

function init(...args: readonly string[]): Promise<Ended> {
  const roles = ['--login-role', login, '--anon-role', anon];
  return runProgram(['init', database.uri, ...roles, ...args], { folder });
}

const HIDDEN = '4 tables of the schema public are not accessible without a token: Artist, album, part, titles';

test('without flags, the schema with the most tables is served, without grants, and a note lists the tables', async () => {
  const shown = await init('--print');
  expect(shown.code).toBe(0);
  expect(shown.stderr).toBe(`${HIDDEN}. Pass --read all, or their names, to let ${anon} read them.\n`);
  expect(shown.stdout).toContain(
    `GRANT "${anon}" TO "${login}";\nGRANT USAGE ON SCHEMA "public" TO "${anon}";\n\n-- Notifies`,
  );
});

test('--read, --write and --policy choose tables', async () => {
  const shown = await init('--print', '--read', 'all', '--write', 'album', '--policy', 'album,Artist');
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toContain(`GRANT USAGE ON SCHEMA "public" TO "${anon}";
GRANT SELECT ON "public"."Artist",
  "public"."part",
  "public"."titles" TO "${anon}";
GRANT SELECT, INSERT, UPDATE, DELETE ON "public"."album" TO "${anon}";
GRANT USAGE ON SEQUENCE "public"."album_id_seq" TO "${anon}";
ALTER TABLE "public"."Artist" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "public"."album" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "${anon}" ON "public"."Artist" FOR SELECT TO "${anon}" USING (true);
CREATE POLICY "${anon}" ON "public"."album" FOR ALL TO "${anon}" USING (true);

-- Notifies`);
});

test.each([
  [['--read', 'album,nope'], 'The schema has no table nope. Nothing was done.\n'],
  [['--read', 'all', '--policy', 'titles'], 'titles is not a table, so it cannot have a policy.\n'],
  [['--policy', 'album'], '--policy album requires --read or --write for it.\n'],
  [
    ['--read', 'all', '--editor-role', 'crew', '--login-role', 'crew'],
    'The editor role needs a name that no other role has, not crew. Nothing was done.\n',
  ],
])('%j is refused', async (args, message) => {
  expect(await init('--print', ...args)).toEqual({ code: 1, stdout: '', stderr: message });
});

test('--editor-role creates a role that may change the rows of every table, also of accessible ones', async () => {
  const shown = await init('--print', '--read', 'album', '--policy', 'album', '--editor-role', editor, '--edit-future');
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(`CREATE ROLE "${editor}" NOLOGIN;`);
  expect(shown.stdout).toContain(`GRANT "${anon}", "${editor}" TO "${login}";
GRANT USAGE ON SCHEMA "public" TO "${anon}", "${editor}";
GRANT SELECT ON "public"."album" TO "${anon}";
GRANT SELECT, INSERT, UPDATE, DELETE ON "public"."Artist",
  "public"."album",
  "public"."open",
  "public"."part",
  "public"."titles" TO "${editor}";
GRANT USAGE ON SEQUENCE "public"."album_id_seq" TO "${editor}";
ALTER TABLE "public"."album" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "${anon}" ON "public"."album" FOR SELECT TO "${anon}" USING (true);
CREATE POLICY "${editor}" ON "public"."album" FOR ALL TO "${editor}" USING (true);
ALTER DEFAULT PRIVILEGES IN SCHEMA "public" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "${editor}";
ALTER DEFAULT PRIVILEGES IN SCHEMA "public" GRANT USAGE ON SEQUENCES TO "${editor}";

-- Notifies`);
});

test('--write-future grants writes on future tables and the use of their sequences', async () => {
  const shown = await init('--print', '--read', 'all', '--write-future');
  expect(shown.stdout).toContain(
    `\nALTER DEFAULT PRIVILEGES IN SCHEMA "public" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "${anon}";
ALTER DEFAULT PRIVILEGES IN SCHEMA "public" GRANT USAGE ON SEQUENCES TO "${anon}";

-- Notifies`,
  );
});

test('--yes sets up a database whose tables the API then reads and writes', async () => {
  const access = ['--read', 'all', '--read-future', '--write', 'album', '--policy', 'all'];
  const done = await init('--yes', ...access, '--editor-role', editor, '--edit-future');
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toMatch(
    new RegExp(
      `^  \\S.* token --role ${editor} rowhouse\\.conf   prints a token for changes, valid for an hour$`,
      'mu',
    ),
  );
  const config = await readFile(path.join(folder, 'rowhouse.conf'), 'utf8');
  expect(config).toContain('db-schemas = "public"\n');
  const uri = /^db-uri = "(.*)"$/mu.exec(config)?.[1] ?? '';
  const asAnon = `set role ${anon};`;
  await runSql(uri, `${asAnon} insert into album (title) values ('x'); table "Artist"; table part; table titles`);
  await expect(runSql(uri, `${asAnon} insert into "Artist" default values`)).rejects.toThrow('permission denied');
  const asEditor = `set role ${editor};`;
  await runSql(uri, `${asEditor} insert into "Artist" default values; update album set title = 'y'; delete from part`);
  await runSql(database.uri, 'create table later (id serial primary key, note text)');
  await runSql(uri, `${asAnon} table later`);
  await runSql(uri, `${asEditor} insert into later (note) values ('z')`);
  await expect(runSql(uri, `${asAnon} insert into later (note) values ('z')`)).rejects.toThrow('permission denied');
  const token = await runProgram(['token', '--role', editor, 'rowhouse.conf'], { folder });
  expect([token.code, token.stdout.split('.').length]).toEqual([0, 3]);
});

test('names with control characters are escaped on the terminal, and the SQL with them runs', async () => {
  const other = await createDatabase();
  const name = String.raw`U&"red\001B[31m\000A red\\"`;
  await runSql(other.uri, `create table ${name} (id serial)`);
  const names = ['--login-role', `${login}_x`, '--anon-role', `${anon}_x`, '--file', 'x.conf'];
  const ended = [
    await runProgram(['init', other.uri, '--print', ...names], { folder }),
    await runProgram(['init', other.uri, '--yes', '--write', 'all', '--policy', 'all', ...names], { folder }),
  ];
  const shown = ended.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('');
  expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
  expect(shown).toContain(
    String.raw`One table of the schema public is not accessible without a token: red\u001b[31m\u000a red\. Pass`,
  );
  expect(shown).toContain(
    String.raw`GRANT SELECT, INSERT, UPDATE, DELETE ON "public".${name} TO "${anon}_x";
GRANT USAGE ON SEQUENCE "public".U&"red\001B[31m\000A red\\_id_seq" TO "${anon}_x";`,
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  await runSql(other.uri, `set role ${anon}_x; insert into ${name} default values`);
  await other.drop();
  await runSql(adminUri(), `drop role ${login}_x; drop role ${anon}_x`);
});
