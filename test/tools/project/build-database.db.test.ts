import { randomBytes } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import type { Result } from '../../../src/contract/result.ts';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { renderProblem, type Problem } from '../../../tools/project/folder/problem.ts';
import { readProject } from '../../../tools/project/folder/read-project.ts';
import { buildDatabase, type BuildOutcome } from '../../../tools/project/run/build-database.ts';
import { findDefaultSchema, findWebRoles } from '../../../tools/project/run/web-roles.ts';
import { adminUri, createDatabase, runRoleSql } from '../../support/database.ts';
import { useFolders } from './folder.ts';
import { use } from '../../support/use.ts';

const makeFolder = useFolders();
const tag = `p${randomBytes(4).toString('hex')}`;

type Built = Result<BuildOutcome, readonly Problem[]>;

/** Builds the files in a new database, and reads from it what the test asks for. */
async function build<T>(
  folder: string,
  readFrom: (built: Built, client: Client) => Promise<T> | T,
  mode: 'all' | 'missing' = 'all',
): Promise<T> {
  const database = await use(createDatabase());
  return withConnection(database.uri, async (client) => {
    const project = await readProject(folder);
    const built = project.ok ? await buildDatabase(project.value, client, { roles: mode, hasSeed: true }) : project;
    return readFrom(built, client);
  });
}

/** For files that fail, which leave the database as it was. */
const unchanged = await use(createDatabase());

async function failuresOf(files: Readonly<Record<string, string | Buffer>>): Promise<readonly string[]> {
  const project = await readProject(makeFolder(files));
  if (!project.ok) return project.error.map(renderProblem);
  return withConnection(unchanged.uri, async (client) => {
    const built = await buildDatabase(project.value, client, { roles: 'all', hasSeed: true });
    return built.ok ? [] : built.error.map(renderProblem);
  });
}

async function read(client: Client, sql: string): Promise<unknown[]> {
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
  return rows.flat();
}

describe('the order of files', () => {
  test('P1c a file that needs a later one runs again after it, in as many rounds as it takes', async () => {
    const folder = makeFolder({
      'schema/a.sql': 'create view d as select id from c;',
      'schema/b.sql': 'create view c as select id from t;',
      'schema/t.sql': 'create table t (id int primary key);',
      'schema/deep/er.sql': 'alter table t add constraint mine foreign key (id) references u;',
      'schema/u.sql': 'create table u (id int primary key references t);',
    });
    const names = await build(folder, (built, client) => {
      expect(built).toEqual({ ok: true, value: { roleDifferences: [] } });
      return read(
        client,
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by 1`,
      );
    });
    expect(names).toEqual(['c', 'd', 't', 'u']);
  });

  test('P1d without progress, all errors of the last round are reported, causes first', async () => {
    const failures = await failuresOf({
      'schema/a.sql': 'create view v as select * from w;',
      'schema/b.sql': '-- the cause\ncreate view w as\n  select * from nowhere;',
      'schema/c.sql': 'create table fine ();',
    });
    expect(failures).toEqual([
      'schema/b.sql:3:17: relation "nowhere" does not exist\n  3 |   select * from nowhere;\n    |                 ^',
      'schema/a.sql:1:32: relation "w" does not exist (follows from the error above)\n  1 | create view v as select * from w;\n    |                                ^',
    ]);
  });

  test('P1e settings and roles of a file do not reach the next', async () => {
    const folder = makeFolder({
      'schema/1.sql': 'create schema a; set search_path to a; create table t1 ();',
      'schema/2.sql': 'create table t2 ();',
    });
    const places = await build(folder, (_, client) =>
      read(
        client,
        `select relnamespace::regnamespace::text from pg_class where relname in ('t1', 't2') order by relname`,
      ),
    );
    expect(places).toEqual(['a', 'public']);
  });

  test('P1f hidden files and other names are left out, links are followed once', async () => {
    const folder = makeFolder({
      'schema/.#t.sql': 'broken',
      'schema/t.sql~': 'broken',
      'schema/notes.md': 'broken',
      'elsewhere/u.sql': 'create table u ();',
      'schema/T.SQL': 'create table t ();',
    });
    symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'schema/linked'));
    symlinkSync(folder, path.join(folder, 'elsewhere/circle'));
    const project = await readProject(folder);
    expect(project.ok && project.value.schema.map((file) => file.path)).toEqual([
      'schema/T.SQL',
      'schema/linked/u.sql',
    ]);
  });
});

describe('roles', () => {
  test('P2 existing roles are kept and compared, memberships and settings run each time', async () => {
    const [web, login] = [`${tag}_web`, `${tag}_login`];
    await runRoleSql(adminUri(), `create role ${web} createdb connection limit 3 replication`);
    const folder = makeFolder({
      'schema/t.sql': '',
      'roles.sql': `create role "${web}";\ncreate user ${login} noinherit password 'x';\ngrant ${web} to ${login};\nalter role ${web} set statement_timeout to '3s';`,
    });
    const check = async (built: Built, client: Client): Promise<unknown> => [
      built.ok && built.value.roleDifferences,
      await findWebRoles(client, { roles: await readRoles(folder) }, 'nobody'),
      await read(client, `select rolcreatedb::text, rolconfig::text from pg_roles where rolname = '${web}'`),
    ];
    const expected = [
      [
        `roles.sql:1:1: the role "${web}" exists with other attributes: createdb, connlimit\n  1 | create role "${web}";\n    | ^\n  HINT: Change it with ALTER ROLE.`,
      ],
      ['nobody', web],
      ['true', '{statement_timeout=3s}'],
    ];
    expect(await build(folder, check)).toEqual(expected);
    expect(await build(folder, check)).toEqual(expected);
    await runRoleSql(adminUri(), `drop role ${web}, ${login}`);
  });

  test.each([
    ['grant usage on schema public to pg_monitor;', true],
    ['alter default privileges grant select on tables to pg_monitor;', true],
    ['grant connect on database postgres to public;', false],
  ])('P2 privileges in roles.sql that no migration contains are reported: %s', async (statement, isReported) => {
    const note = `roles.sql:1:1: privileges on objects in roles.sql are part of no migration\n  1 | ${statement}\n    | ^\n  HINT: Move it to a file in schema/.`;
    const built = await build(makeFolder({ 'schema/t.sql': '', 'roles.sql': statement }), (result) => result);
    expect(built).toEqual({ ok: true, value: { roleDifferences: isReported ? [note] : [] } });
  });

  test("P2b on a server of one's own, only missing roles are made", async () => {
    const web = `${tag}_other`;
    const folder = makeFolder({
      'schema/t.sql': '',
      'roles.sql': `create role ${web};\nalter role ${web} set statement_timeout to '3s';`,
    });
    const config = await build(
      folder,
      (_, client) => read(client, `select rolconfig from pg_roles where rolname = '${web}'`),
      'missing',
    );
    expect(config).toEqual([null]);
    await runRoleSql(adminUri(), `drop role ${web}`);
  });
});

async function readRoles(folder: string): Promise<{ path: string; text: string } | undefined> {
  const project = await readProject(folder);
  return project.ok ? project.value.roles : undefined;
}

describe('seed', () => {
  test('P3 statements, inline data, `\\copy`, `\\i` and `\\ir` run in order', async () => {
    const folder = makeFolder({
      'schema/t.sql': 'create table t (id int, note text);',
      'seed/1_first.sql': `insert into t values (1, 'a;b');\ncopy t from stdin;\n2\tx\n\\.\n\\copy t (id, note) from 'data/it''s.csv' with (format csv, header)\n\\i seed/parts/more.txt\n\\ir parts/more.txt\n`,
      "seed/data/it's.csv": 'id,note\n3,"three\nlines"\n',
      'seed/parts/more.txt': "insert into t values (4, 'four');",
      'seed/parts/once.sql': "insert into t values (9, 'only where it is included');",
      'seed/2_last.sql': 'update t set note = upper(note) where id = 1;',
    });
    const rows = await build(folder, (built, client) => {
      expect(built.ok).toBe(true);
      return read(client, 'select id, note from t order by id');
    });
    expect(rows).toEqual([1, 'A;B', 2, 'x', 3, 'three\nlines', 4, 'four', 4, 'four']);
  });

  test.each<[what: string, seed: string, failure: string]>([
    [
      'another command',
      'select 1;\n\\gexec\n',
      "seed/s.sql:2:1: \\gexec is not supported\n  2 | \\gexec\n    | ^\n  HINT: Of psql's commands, only \\copy, \\i and \\ir run here.",
    ],
    ...['\\echo done', '\\set n 1', '\\html'].map((command): [string, string, string] => [
      command,
      `select 1;\n${command}`,
      `seed/s.sql:2:1: ${command.split(' ')[0]} is not supported\n  2 | ${command}\n    | ^\n  HINT: Of psql's commands, only \\copy, \\i and \\ir run here.`,
    ]),
    [
      'the end of a transaction',
      'insert into t values (2); commit;',
      'seed/s.sql:1:27: a file must not begin or end a transaction\n  1 | insert into t values (2); commit;\n    |                           ^\n  HINT: All files run in one transaction already: omit this statement.',
    ],
    [
      'a missing file',
      "\\copy t from 'no.csv' csv",
      "seed/s.sql:1:1: there is no file seed/no.csv\n  1 | \\copy t from 'no.csv' csv\n    | ^",
    ],
    [
      'inline rows of psql',
      '\\copy t from stdin\n1\n\\.\n',
      'seed/s.sql:1:1: \\copy from stdin does not run in seed/\n  1 | \\copy t from stdin\n    | ^\n  HINT: Write the rows to a file, or below "copy TABLE from stdin;" up to a line with \\.',
    ],
    [
      'rows of a program',
      "\\copy t from program 'ls'",
      'seed/s.sql:1:1: \\copy from program does not run in seed/\n  1 | \\copy t from program \'ls\'\n    | ^\n  HINT: Write the rows to a file, or below "copy TABLE from stdin;" up to a line with \\.',
    ],
    ['an endless inclusion', '\\ir s.sql', 'seed/s.sql: files include each other without end'],
    [
      'a row that does not fit',
      "insert into t\n  values ('x');",
      'seed/s.sql:2:11: invalid input syntax for type integer: "x"\n  2 |   values (\'x\');\n    |           ^',
    ],
  ])('P3b a seed with %s is an error that names the line, and leaves no row', async (_, seed, failure) => {
    const folder = makeFolder({
      'schema/t.sql': 'create table t (id int);',
      'seed/0.sql': 'insert into t values (1);',
      'seed/s.sql': seed,
    });
    const [failures, count] = await build(folder, async (built, client) => [
      built.ok ? [] : built.error.map(renderProblem),
      await read(client, 'select count(*)::int from t'),
    ]);
    expect(failures).toEqual([failure]);
    expect(count).toEqual([0]);
  });
});

describe('bad files', () => {
  test.each<[what: string, files: Readonly<Record<string, string | Buffer>>, failure: string]>([
    [
      'not UTF-8',
      { 'schema/t.sql': Buffer.from([0x2d, 0x2d, 0xff]) },
      'schema/t.sql: the file is not encoded as UTF-8\n  HINT: Save it as UTF-8.',
    ],
    [
      'UTF-16 without a mark',
      { 'schema/t.sql': Buffer.from('create table t ();', 'utf16le') },
      'schema/t.sql: the file contains a NUL character\n  HINT: Save it as UTF-8.',
    ],

    [
      'too large',
      { 'schema/t.sql': Buffer.alloc(8 * 1024 * 1024 + 1, '-') },
      'schema/t.sql: the file is larger than 8 MB\n  HINT: Put data into seed/.',
    ],
    ['no schema', { 'seed/t.sql': '' }, 'has no folder schema/'],
    [
      'a syntax error after a wide character',
      { 'schema/t.sql': "create table t ();\r\n\tcomment on table t is '😀' oops;\r\n" },
      'schema/t.sql:2:28: syntax error at or near "oops"\n  2 |  comment on table t is \'😀\' oops;\n    |                            ^',
    ],
    [
      'an error in the body of a function',
      { 'schema/f.sql': 'create function f() returns int language plpgsql as $$\nbegin\n  given 1;\nend $$;' },
      'schema/f.sql:3:3: syntax error at or near "given"\n  3 |   given 1;\n    |   ^',
    ],
    [
      'an error in a SQL function',
      { 'schema/f.sql': 'create function f() returns int language sql as $$\n  select nothing from pg_class\n$$;' },
      'schema/f.sql:2:10: column "nothing" does not exist\n  2 |   select nothing from pg_class\n    |          ^',
    ],
    [
      'an error while a block runs',
      { 'schema/f.sql': "do $do$\nbegin\n  perform 1;\n  raise 'no' using hint = 'Try.';\nend $do$;" },
      "schema/f.sql:4:3: no\n  4 |   raise 'no' using hint = 'Try.';\n    |   ^\n  HINT: Try.",
    ],
    [
      'rows in schema/',
      { 'schema/t.sql': 'create table t (); insert into t default values;' },
      'schema/t.sql:1:20: schema/ describes the schema, and this statement changes rows\n  1 | create table t (); insert into t default values;\n    |                    ^\n  HINT: Move it to a file in seed/.',
    ],
    [
      'rows of psql in schema/',
      { 'schema/t.sql': 'create table t (id int);\n\\copy t from stdin\n1\n\\.\n' },
      'schema/t.sql:2:1: commands of psql do not run in schema/\n  2 | \\copy t from stdin\n    | ^\n  HINT: Move rows to a file in seed/.',
    ],
    [
      'a command of psql',
      { 'schema/t.sql': '\\i x.sql' },
      'schema/t.sql:1:1: commands of psql do not run in schema/\n  1 | \\i x.sql\n    | ^',
    ],
  ])('P4 %s', async (_, files, failure) => {
    const failures = await failuresOf(files);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain(failure);
  });

  test('P4f a name that is not UTF-8 is reported', async () => {
    const folder = makeFolder({ 'schema/t.sql': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/schema/x`), Buffer.from([0xff]), Buffer.from('.sql')]), '');
    const project = await readProject(folder);
    expect(project.ok ? [] : project.error.map(renderProblem)).toEqual([
      'schema/x\uFFFD.sql: the name of the file is not encoded as UTF-8',
    ]);
  });

  test('P4b a long line is cut around its caret', async () => {
    const [failure = ''] = await failuresOf({
      'schema/t.sql': `select ${'1 + '.repeat(100)} oops, 1${', 2'.repeat(100)};`,
    });
    const [head, source = '', caret = ''] = failure.split('\n');
    expect(head).toBe('schema/t.sql:1:409: column "oops" does not exist');
    expect(source.slice(caret.length - 1, caret.length + 3)).toBe('oops');
    expect(source.length).toBeLessThan(120);
  });

  test('P50 literals of a statement with a password are masked, in the line and in the message', async () => {
    const failures = await failuresOf({
      'schema/t.sql': '',
      'roles.sql': "create role \"x\" password 'hunter2' nonsense 'pepper';",
    });
    expect(failures).toEqual([
      'roles.sql:1:36: unrecognized role option "nonsense"\n  1 | create role "x" password \'*******\' nonsense \'******\';\n    |                                    ^',
    ]);
    const [misspelt = ''] = await failuresOf({
      'schema/t.sql': '',
      'roles.sql': "create role x encrypted passwort 'secret one';",
    });
    expect(misspelt).not.toContain('secret one');
  });
});

describe('defaults', () => {
  test('P5 the default schema is api if the files create it, else public', async () => {
    const find = (files: Record<string, string>): Promise<string> =>
      build(makeFolder(files), (_, client) => findDefaultSchema(client));
    expect(await find({ 'schema/t.sql': 'create schema api;' })).toBe('api');
    expect(await find({ 'schema/t.sql': 'create table t ();' })).toBe('public');
  });

  test('P5b web roles are those that roles.sql grants to a login role, not all that a superuser may assume', async () => {
    const roles = (text: string): { path: string; text: string } => ({ path: 'roles.sql', text });
    const found = await withConnection(adminUri(), (client) =>
      findWebRoles(
        client,
        {
          roles: roles(
            'grant a, "B ""x""" to postgres with admin option; grant c to nologin; grant select on t to postgres; GRANT D TO x, Postgres;',
          ),
        },
        undefined,
      ),
    );
    expect(found).toEqual(['a', 'B "x"', 'd']);
  });
});
