// The command `init` on a database that has tables already.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { chooseTables } from '../../src/cli/init/choose-tables.ts';
import { type ExistingTable, proposeSchema } from '../../src/cli/init/existing-tables.ts';
import { renderFutureGrants, renderGrants } from '../../src/cli/init/grants.ts';
import type { InitOptions } from '../../src/cli/init/questions.ts';
import { readTableAccess } from '../../src/cli/init/table-access.ts';
import { type Ended, runProgram } from '../server/support/spawned-server.ts';
import { adminUri, createDatabase, runRoleSql, runSql, type TestDatabase } from '../support/database.ts';

let folder: string;
let database: TestDatabase;
let anon: string;
let editor: string;
let login: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rowhouse-init-tables-'));
  database = await createDatabase();
  [anon, editor, login] = [`${database.name}_anon`, `${database.name}_editor`, `${database.name}_gate`];
  await runRoleSql(
    database.uri,
    `create schema api; create schema other; create table other.lonely (id int);
     create table album (id serial primary key, title text);
     create table "Artist" (id int generated always as identity primary key);
     create table open (id int primary key); grant select on open to public;
     create view titles as select title from album;
     create table part (id int) partition by list (id); create table part_one partition of part for values in (1);`,
  );
});

afterAll(async () => {
  await database.drop();
  await runSql(adminUri(), `drop role if exists ${login}; drop role if exists ${anon}; drop role if exists ${editor}`);
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  vi.restoreAllMocks();
});

function init(...args: readonly string[]): Promise<Ended> {
  const roles = ['--login-role', login, '--anon-role', anon];
  return runProgram(['init', database.uri, ...roles, ...args], { folder });
}

const HIDDEN = '4 tables of the schema public are not accessible to any role of the API: Artist, album, part, titles';

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
GRANT USAGE ON SEQUENCE public.album_id_seq TO "${anon}";
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
GRANT USAGE ON SEQUENCE public.album_id_seq TO "${editor}";
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

const OPTIONS: InitOptions = {
  kind: 'init',
  uri: undefined,
  schema: undefined,
  anonRole: undefined,
  loginRole: undefined,
  passwordFile: undefined,
  file: undefined,
  mode: 'ask',
  isForced: false,
  isIdempotency: false,
  isLive: false,
  tables: { read: [], write: [], policy: [] },
  editorRole: undefined,
  future: { isReadable: false, isWritable: false, isEditable: false },
};

const POLICY_RULE =
  ', with policies that allow all rows to the roles of this setup? Until you add more, other roles see no rows. [y/N]: ';
const FUTURE = 'Access without a token to every table that is created later: none or read [none]: ';
const EDITOR = 'Also create a role whose tokens may change the rows of every table? [y/N]: ';

interface Dialog {
  readonly asked: readonly string[];
  readonly said: string;
  readonly chosen: Awaited<ReturnType<typeof chooseTables>>;
}

/** Answers the questions in order, then ends the input. */
async function talk(...replies: readonly string[]): Promise<Dialog> {
  const asked: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const answers = { anonRole: `${anon}2`, loginRole: login, file: 'x.conf', uri: database.uri };
  const chosen = await chooseTables(OPTIONS, answers, (question) => Promise.resolve(replies[asked.push(question) - 1]));
  const said = write.mock.calls.map(([text]) => String(text)).join('');
  write.mockRestore();
  return { asked, said, chosen };
}

function listChoices({ chosen }: Dialog): unknown {
  return chosen.ok
    ? chosen.value.tables.map(({ table, access, hasPolicy }) => [table.name, access, hasPolicy])
    : chosen;
}

const ACCESS = 'Access without a token: read, write, none, or choose per table [read]: ';

test('on a terminal, empty answers make the tables of the largest schema readable', async () => {
  const dialog = await talk('', '', '', '', '');
  expect(dialog.asked).toEqual([
    'Schema to serve [public]: ',
    ACCESS,
    `Enable row-level security on each table${POLICY_RULE}`,
    FUTURE,
    EDITOR,
  ]);
  expect(dialog.chosen).toMatchObject({ ok: true, value: { futureAccess: 'none', editor: undefined } });
  expect(dialog.said).toMatch(
    /^\n\d+ tables of the schema public are not accessible to any role of the API: Artist, /u,
  );
  expect(listChoices(dialog)).toEqual([
    ['Artist', 'read', false],
    ['album', 'read', false],
    ['later', 'read', false],
    ['part', 'read', false],
    ['titles', 'read', false],
  ]);
});

test('on a terminal, access and policies can be chosen per table', async () => {
  const dialog = await talk('public', 'maybe', 'c', 'w', 'y', 'n', 'none', '', '', 'r', 'yes', 'w', '');
  expect(dialog.asked.slice(1)).toEqual([
    ACCESS,
    `Answer read, write, none, or choose.\n${ACCESS}`,
    '  Artist: read, write or none [read]: ',
    `  Artist: enable row-level security${POLICY_RULE}`,
    '  album: read, write or none [read]: ',
    '  later: read, write or none [read]: ',
    '  part: read, write or none [read]: ',
    `  part: enable row-level security${POLICY_RULE}`,
    '  titles: read, write or none [read]: ',
    FUTURE.replace('none or read', 'none, read, or write'),
    `Answer none, read, or write.\n${FUTURE.replace('none or read', 'none, read, or write')}`,
    EDITOR,
  ]);
  expect(dialog.chosen).toMatchObject({ ok: true, value: { futureAccess: 'write' } });
  expect(listChoices(dialog)).toEqual([
    ['Artist', 'write', true],
    ['album', 'none', false],
    ['later', 'none', false],
    ['part', 'read', false],
    ['titles', 'read', false],
  ]);
});

test('on a terminal, write access for everybody comes with a warning', async () => {
  const dialog = await talk('public', 'write', 'y', '', '');
  expect(dialog.asked[2]).toBe(
    'Everybody who reaches the API can then change every row. rowhouse doctor reports that until policies restrict it.\n' +
      `Enable row-level security on each table${POLICY_RULE}`,
  );
  expect(listChoices(dialog)).toContainEqual(['Artist', 'write', true]);
});

test('on a terminal, an editor role can be created, also without access for others', async () => {
  const dialog = await talk('public', 'none', 'y', '', 'y');
  expect(dialog.asked.slice(2)).toEqual([
    EDITOR,
    'Name of that role [web_editor]: ',
    'Let web_editor also change every table that is created later? [y/N]: ',
  ]);
  expect(dialog.chosen).toMatchObject({
    ok: true,
    value: { futureAccess: 'none', editor: { role: 'web_editor', isFutureEditable: true } },
  });
  const editable = dialog.chosen.ok ? dialog.chosen.value.editor?.tables : undefined;
  expect(editable?.map(({ table, access }) => [table.name, access])).toContainEqual(['open', 'write']);
});

test('nothing is asked about a schema without tables except for an editor, and the end of the input ends the dialog', async () => {
  expect((await talk('brand_new', 'y', 'crew')).chosen).toEqual({
    ok: true,
    value: {
      schema: 'brand_new',
      tables: [],
      futureAccess: 'read',
      editor: { role: 'crew', tables: [], isFutureEditable: true },
    },
  });
  expect((await talk('public', 'read')).chosen).toEqual({ ok: false, error: '\nNothing was done.' });
});

function make(schema: string, name: string, isAccessible = false): ExistingTable {
  return { schema, name, canHavePolicies: true, isAccessible, sequences: [] };
}

test('proposes the usual schema unless it is empty and another one has tables', () => {
  expect(proposeSchema([], 'api')).toBe('api');
  expect(proposeSchema([make('api', 'a'), make('shop', 'b'), make('shop', 'c')], 'api')).toBe('api');
  expect(proposeSchema([make('crm', 'a'), make('shop', 'b'), make('shop', 'c')], 'api')).toBe('shop');
});

test('all means the tables that nobody can access; others can be named', () => {
  const tables = [make('s', 'a'), make('s', 'b', true)];
  const chosen = readTableAccess(tables, { read: ['all'], write: ['b'], policy: [] });
  if (!chosen.ok) throw new Error(chosen.error);
  expect(renderGrants(chosen.value, 'anon')).toEqual([
    'GRANT SELECT ON "s"."a" TO "anon";',
    'GRANT SELECT, INSERT, UPDATE, DELETE ON "s"."b" TO "anon";',
  ]);
});

test('future tables get the rights that were chosen, and sequences those that inserts need', () => {
  expect(renderFutureGrants('s', { role: 'anon', access: 'none' })).toEqual([]);
  expect(renderFutureGrants('s', { role: 'anon', access: 'read' })).toEqual([
    'ALTER DEFAULT PRIVILEGES IN SCHEMA "s" GRANT SELECT ON TABLES TO "anon";',
  ]);
  expect(renderFutureGrants('s', { role: 'anon', access: 'write' })).toEqual([
    'ALTER DEFAULT PRIVILEGES IN SCHEMA "s" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "anon";',
    'ALTER DEFAULT PRIVILEGES IN SCHEMA "s" GRANT USAGE ON SEQUENCES TO "anon";',
  ]);
});
