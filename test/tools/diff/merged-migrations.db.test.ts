// Migrations of several branches: the state that they produce is derived from them, whatever the snapshot says.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { diffSchemas } from '../../../tools/diff/diff-schemas.ts';
import { planMigration } from '../../../tools/migrate/plan-migration.ts';
import { describeMigration } from '../../../tools/migrate/read-migrations.ts';
import { readProject } from '../../../tools/project/folder/read-project.ts';
import { runProgram } from '../../support/spawned-server.ts';
import { createDatabase } from '../../support/database.ts';
import { useFolders, writeFiles } from '../project/folder.ts';

const createFolder = useFolders();
const ITEMS = 'create schema api; create table api.items (id integer primary key, name text not null);';
const FIRST = { 'migrations/0001_first.sql': ITEMS };

/** Compares the folder with its migrations. @returns the statements, or what is wrong */
async function compare(folder: string): Promise<readonly string[]> {
  const project = await readProject(folder);
  if (!project.ok) throw new Error('no project');
  const diff = await diffSchemas(project.value, { kind: 'migrations' });
  if (!diff.ok) return diff.error.map(({ file, message, hint }) => `${file}: ${message}\n${hint}`);
  return diff.value.files.flatMap(({ statements }) => statements.map(({ sql }) => sql));
}

function git(folder: string, ...args: readonly string[]): string {
  const own = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

/** What an older version wrote, and two branches committed. */
const OLD_SNAPSHOT = '{"format":1,"owner":"postgres","roles":[],"schema":{}}\n';

/** For tests that run the program often, on a machine that is busy. */
const OFTEN = { timeout: 600_000 };

test(
  'P20e two branches that add a migration each merge without a conflict, also beside an old snapshot',
  OFTEN,
  async () => {
    const folder = createFolder({
      'schema/items.sql': ITEMS,
      ...FIRST,
      'migrations/snapshot.json': OLD_SNAPSHOT,
    });
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message=first');
    git(folder, 'checkout', '--quiet', '-b', 'sizes');
    writeFiles(folder, { 'schema/sizes.sql': 'create table api.sizes (id integer primary key);' });
    const note = 'migrations/snapshot.json was not made by this version and is not used: delete it, also from git';
    expect(await runProgram(['diff', '--write', 'sizes', folder])).toMatchObject({
      code: 0,
      stdout: `migrations/0002_sizes.sql\n${note}\n`,
      stderr: '',
    });
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message=sizes');
    git(folder, 'checkout', '--quiet', 'main');
    writeFiles(folder, {
      'schema/items.sql': ITEMS.replace(');', ', color text);'),
      'migrations/0002_colors.sql': 'alter table api.items add color text;',
    });
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message=colors');
    git(folder, 'merge', '--quiet', '--no-edit', 'sizes');
    expect(await runProgram(['diff', '--check', folder])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    git(folder, 'rm', '--quiet', 'migrations/snapshot.json');
    writeFiles(folder, { 'schema/shapes.sql': 'create table api.shapes (id integer primary key);' });
    expect(await runProgram(['diff', '--write', 'shapes', folder])).toMatchObject({
      code: 0,
      stdout: `migrations/0003_shapes.sql
migrations/snapshot.json
0002_colors and 0002_sizes have the same number, and apply in this order. To apply 0002_sizes after all others, rename it before a database that matters has it: git mv migrations/0002_sizes.sql migrations/0004_sizes.sql
`,
    });
    writeFiles(folder, { 'schema/shades.sql': 'create table api.shades (id integer primary key);' });
    expect(await runProgram(['diff', '--write', 'shades', folder])).toMatchObject({
      code: 0,
      stdout: 'migrations/0004_shades.sql\nmigrations/snapshot.json\n',
    });
    git(folder, 'add', '--all');
    expect(git(folder, 'ls-files', 'migrations').trim().split('\n')).toEqual([
      'migrations/.gitignore',
      ...['0001_first', '0002_colors', '0002_sizes', '0003_shapes', '0004_shades'].map(
        (name) => `migrations/${name}.sql`,
      ),
    ]);
    const database = await createDatabase();
    const migrated = await runProgram(['migrate', folder, database.uri]);
    await database.drop();
    expect(migrated).toMatchObject({ code: 0, stdout: 'Applied 5 migrations.\n' });
    expect(migrated.stderr).toMatch(/^0001_first {2}\d+ ms\n0002_colors {2}\d+ ms\n/u);
  },
);

test.each([
  ['of another state', '{"format":2,"migrations":"0","owner":"postgres","roles":[],"schema":{}}'],
  ['of an older version', OLD_SNAPSHOT],
  ['with marks of a conflict', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> sizes\n'],
])('P20f a snapshot %s is not trusted, and a migration by hand counts', async (_, snapshot) => {
  const folder = createFolder({
    'schema/items.sql': ITEMS.replace(');', ', color text);'),
    ...FIRST,
    'migrations/0002_hand.sql':
      'alter table api.items add column color varchar; alter table api.items alter color type text;',
    'migrations/snapshot.json': snapshot,
  });
  expect(await compare(folder)).toEqual([]);
});

test('P20g the snapshot saves the work as long as the migrations are the same', OFTEN, async () => {
  const folder = createFolder({ 'schema/items.sql': ITEMS });
  expect((await runProgram(['diff', '--write', 'first', folder])).code).toBe(0);
  const file = path.join(folder, 'migrations/snapshot.json');
  const content = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
  expect(content).toMatchObject({ format: 3, migrations: expect.stringMatching(/^[\da-f]{64}$/u) as unknown });
  expect(await compare(folder)).toEqual([]);
  writeFiles(folder, { 'migrations/0001_first.sql': `${ITEMS} create table api.other (id integer primary key);` });
  expect(await compare(folder)).toEqual(['DROP TABLE "api"."other"']);
  const database = await createDatabase();
  writeFiles(folder, { 'schema/other.sql': 'create table api.other (id integer primary key);' });
  expect(await runProgram(['diff', '--write', 'all', folder, database.uri])).toMatchObject({
    stdout: 'migrations/0002_all.sql\n',
  });
  await database.drop();
  expect(existsSync(file)).toBe(true);
});

test('P20h a migration that fails after a merge is named, with what to do', async () => {
  const color = 'alter table api.items add color text;';
  const folder = createFolder({
    'schema/items.sql': ITEMS,
    ...FIRST,
    'migrations/0002_a.sql': color,
    'migrations/0002_b.sql': color,
  });
  expect(await compare(folder)).toEqual([
    `migrations/0002_b.sql: column "color" of relation "items" already exists
Without a database, the folder is compared with the state that all migrations produce in an empty database: they must apply to one, in order.
If it does not fit what another branch has changed, and no database that matters has its files: rename and edit them, or delete them and run \`rowhouse diff --write NAME\` again.
0002_a and 0002_b have the same number, and apply in this order. To apply 0002_b after all others, rename it before a database that matters has it: git mv migrations/0002_b.sql migrations/0003_b.sql`,
  ]);
});

test('P20i P30 roles: what migrations create and ask to set, and what they take from roles.sql', async () => {
  const roles = `create role merge_reader nologin; create role merge_writer nologin;
    grant merge_reader to merge_writer; alter role merge_writer set app.token = 'x';`;
  const folder = createFolder({
    'schema/items.sql': `${ITEMS} grant usage on schema api to merge_reader;`,
    'roles.sql': roles,
    'migrations/0001_first.sql': `${ITEMS} grant usage on schema api to merge_reader;`,
  });
  const [reader, writer, ...rest] = await compare(folder);
  expect([reader, writer].map((sql) => /create role "(?<name>\w+)"/u.exec(sql ?? '')?.groups?.['name'])).toEqual([
    'merge_reader',
    'merge_writer',
  ]);
  expect(rest).toEqual([
    'grant "merge_reader" to "merge_writer"',
    '-- Set "app.token" of the role "merge_writer" by hand: its value may be a secret',
  ]);
  writeFiles(folder, { 'migrations/0002_roles.sql': [reader, writer, ...rest].join(';\n') });
  expect(await compare(folder)).toEqual([]);
});

test('P27l a file that was renamed after it was applied is named, with both ways out', () => {
  const migration = describeMigration({ path: 'migrations/0003_sizes.sql', text: 'select 1' });
  const applied = { name: '0002_sizes', hash: migration.hash, appliedAt: new Date(), duration: 1 };
  const planned = planMigration([migration], new Map([[applied.name, applied]]));
  expect(planned.ok ? [] : planned.error.map(({ file, hint }) => `${file}: ${hint}`)).toEqual([
    "migrations/0002_sizes.sql: migrations/0003_sizes.sql has the same text. Rename it back, or record its new name: update rowhouse.migrations set name = '0003_sizes' where name = '0002_sizes';",
  ]);
});
