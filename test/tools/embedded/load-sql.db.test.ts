import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { EmbeddedError } from '../../../tools/embedded/cluster/embedded-error.ts';
import { loadSqlFile } from '../../../tools/embedded/script/load-sql.ts';
import { withConnection, withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { adminUri, createDatabase, runSql } from '../../support/database.ts';
import { use, useFolder } from '../../support/use.ts';

const database = await use(createDatabase());
const folder = useFolder();

async function load(script: string): ReturnType<typeof loadSqlFile> {
  const file = path.join(folder, 'script.sql');
  await writeFile(file, script);
  return await loadSqlFile(database.uri, file);
}

async function query(uri: string, sql: string): Promise<readonly unknown[]> {
  return await withConnection(uri, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);
}

test('a script can create a database and connect to it', async () => {
  const name = `${database.name}_made`;
  const loaded = await load(`drop database if exists ${name};
create database ${name};

\\c ${name};
create table album (id int primary key, title text);
insert into album values (1, 'For; those about to rock'), (2, 'Ærø');
`);
  expect(loaded).toEqual({ ok: true, value: { statements: 4, databases: [name] } });
  expect(await query(withDatabase(adminUri(), name), 'select title from album order by id')).toEqual([
    { title: 'For; those about to rock' },
    { title: 'Ærø' },
  ]);
  await runSql(adminUri(), `drop database ${name}`);
});

test('COPY reads its data from the script', async () => {
  const loaded = await load(
    'create table copied (id int, note text);\nCOPY copied FROM stdin;\n1\t\\N\n2\ta;b\n\\.\nselect 1;\n',
  );
  expect(loaded).toEqual({ ok: true, value: { statements: 3, databases: [database.name] } });
  expect(await query(database.uri, 'select * from copied order by id')).toEqual([
    { id: 1, note: null },
    { id: 2, note: 'a;b' },
  ]);
});

test('a failure is rolled back and reported with its line', async () => {
  const loaded = await load(
    'create table half (id int);\n\ninsert into half\nvalues (1), (1);\n\nselect * from absent;\n',
  );
  expect(loaded).toEqual({
    ok: false,
    error: {
      kind: 'sqlFailed',
      source: `${path.join(folder, 'script.sql')}, line 6`,
      details: 'relation "absent" does not exist',
    } satisfies EmbeddedError,
  });
  expect(await query(database.uri, `select to_regclass('half')`)).toEqual([{ to_regclass: null }]);
});

test('a script that makes its own database cannot be loaded into that one, and the error says what to do', async () => {
  const loaded = await load(`drop database ${database.name};\n`);
  const advice = '(the file makes a database of its own: load it without --database)';
  expect(loaded).toMatchObject({
    ok: false,
    error: { details: `cannot drop the currently open database ${advice}` },
  });
});

test('a failure of COPY is reported', async () => {
  await runSql(database.uri, 'create table narrow (id int)');
  const loaded = await load('copy narrow from stdin;\nx\n\\.\n');
  expect(loaded).toMatchObject({ ok: false, error: { details: 'invalid input syntax for type integer: "x"' } });
});

test('an unsupported psql command is rejected before anything runs', async () => {
  const loaded = await load('create table early (id int);\n\\i other.sql\n');
  expect(loaded).toMatchObject({
    ok: false,
    error: { source: `${path.join(folder, 'script.sql')}, line 2`, details: 'the psql command \\i is not supported' },
  });
  expect(await query(database.uri, `select to_regclass('early')`)).toEqual([{ to_regclass: null }]);
});

test('statements that cannot run in a transaction run outside of one', async () => {
  const loaded = await load('create table lean (id int);\nvacuum lean;\ncreate index concurrently on lean (id);\n');
  expect(loaded).toMatchObject({ ok: true, value: { statements: 3 } });
});

test('the error for an unreadable file names it once, with the reason', async () => {
  const missing = path.join(folder, 'missing.sql');
  const failure = (source: string, details: string): unknown => ({
    ok: false,
    error: { kind: 'sqlFailed', source, details },
  });
  expect(await loadSqlFile(database.uri, missing)).toEqual(failure(missing, 'no such file or directory'));
  expect(await loadSqlFile(database.uri, folder)).toEqual(failure(folder, 'illegal operation on a directory'));
});
