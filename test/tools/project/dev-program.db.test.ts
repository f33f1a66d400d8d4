// `rowhouse dev DIR URI` as a program: the databases beside the named one, requests during saves, editors, and the end.
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../../support/spawned-server.ts';
import { withConnection, withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { adminUri, runSql } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { useFolders, writeFiles } from './folder.ts';
import { useDev } from './started-dev.ts';

const makeFolder = useFolders();
const start = useDev();
const name = `named_${randomBytes(4).toString('hex')}`;
const uri = withDatabase(adminUri(), name);
const folder = makeFolder({
  'schema/tasks.sql':
    'create schema api;\ncreate table api.tasks (id int generated always as identity primary key, task text);',
  'schema/views.sql': 'create view api.open as select id from api.tasks;',
  'seed/tasks.sql': `insert into api.tasks (task) values ('first');`,
});

await runSql(adminUri(), `create database ${name}`);
await runSql(uri, 'create table untouched ()');
const dev = await start(folder, uri);
afterAll(async () => {
  for (const suffix of [
    '',
    '_dev',
    '_shadow',
    '_other',
    '_other_dev',
    '_broken',
    '_broken_dev',
    '_broken_shadow',
    '_seed',
    '_seed_dev',
    '_seed_shadow',
    '_sync',
    '_sync_dev',
    '_sync_shadow',
  ])
    await runSql(adminUri(), `drop database if exists ${name}${suffix} with (force)`);
});

const VIEW = 'schema/views.sql';
const view = (column: string): string => `create view api.open as select id as ${column} from api.tasks;\n`;
const noteOf = (database: string): Promise<unknown> =>
  withConnection(adminUri(), async (client) => {
    const text = `select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1`;
    return (await client.query<{ note: unknown }>(text, [database])).rows[0]?.note;
  });

test('P7 the databases lie beside the named one, which is not touched, and carry the folder', async () => {
  expect(JSON.parse((await dev.get('/tasks')).text)).toEqual([{ id: 1, task: 'first' }]);
  expect([await noteOf(`${name}_dev`), await noteOf(`${name}_shadow`), await noteOf(name)]).toEqual([
    `Made by rowhouse dev ${folder}`,
    `Made by rowhouse dev ${folder}`,
    null,
  ]);
  const tables = await withConnection(uri, (client) =>
    client.query(`select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`),
  );
  expect(tables.rows).toEqual([{ relname: 'untouched' }]);
});

test('P7b a database without the mark of this folder is refused, and stays as it is', async () => {
  const other = makeFolder({ 'schema/t.sql': '' });
  await runSql(adminUri(), `create database ${name}_other`);
  await runSql(adminUri(), `create database ${name}_other_dev`);
  for (const target of [uri, withDatabase(adminUri(), `${name}_other`)]) {
    const refused = await runProgram(['dev', other, target]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /^The database named_\w+_dev exists and was not made for this project\. Rename or drop it\.\n$/u,
    );
  }
  expect([await noteOf(`${name}_dev`), await noteOf(`${name}_other_dev`)]).toEqual([
    `Made by rowhouse dev ${folder}`,
    null,
  ]);
});

test('B100 what the configuration needs for sync is made beside the schema, also after a change of it', async () => {
  await runSql(adminUri(), `create database ${name}_sync`);
  const synced = makeFolder({
    'schema/tasks.sql': 'create schema api;\ncreate table api.tasks (id int primary key);',
    'rowhouse.conf': 'live-publication = "rowhouse_live"\n',
  });
  const server = await start(synced, withDatabase(adminUri(), `${name}_sync`));
  const read = (sql: string): Promise<unknown> =>
    withConnection(withDatabase(adminUri(), `${name}_sync_dev`), async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(sql);
      return rows.map((row) => Object.values(row)[0]);
    });
  const published = `select tablename from pg_publication_tables where pubname = 'rowhouse_live' order by 1`;
  expect(await read(published)).toEqual(['tasks']);
  await server.save({ 'schema/lists.sql': 'create table api.lists (id int primary key);' });
  expect(await read(published)).toEqual(['lists', 'tasks']);

  const keys = `select to_regclass('rowhouse.idempotency_keys')::text`;
  expect(await read(keys)).toEqual([null]);
  writeFiles(synced, { 'rowhouse.conf': 'db-idempotency-schema = "rowhouse"\n' });
  await until(async () => JSON.stringify(await read(keys)) === '["rowhouse.idempotency_keys"]');
  // It is no part of the schema: nothing is reported about it.
  const printed = await server.save({ 'schema/notes.sql': 'create table api.notes (id int primary key);' });
  expect(printed).toMatch(/^schema\/notes\.sql: \+ table notes, \d+\.\d\d s$/mu);
  expect(printed).not.toContain('idempotency');
});

test('P18 a second `dev` of the folder is refused with the process that holds it', async () => {
  const refused = await runProgram(['dev', folder, uri]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    `The project ${folder} is in use by another \`rowhouse dev\` (process ${readFileSync(path.join(folder, '.rowhouse/dev.pid'), 'utf8').trim()}). Stop it first.\n`,
  ]);
});

test('P13 no request fails during saves', { timeout: 120_000 }, async () => {
  const saving = new AbortController();
  const statuses = new Set<number>();
  const client = async (request: () => Promise<{ readonly status: number }>): Promise<void> => {
    while (!saving.signal.aborted) statuses.add((await request()).status);
  };
  const clients = [
    client(() => dev.get('/tasks?select=id,task&limit=3')),
    client(() => dev.get('/open?limit=1')),
    client(() => dev.post('/tasks', '{"task":"more"}')),
    client(() => dev.get('/tasks?select=*&order=id.desc&limit=2')),
  ];
  for (let index = 0; index < 5; index += 1) {
    const printed = await dev.save({
      [VIEW]: view(`id${index}`),
      'schema/extra.sql': `create table api.extra${index} (id int);`,
    });
    expect(printed).toMatch(/^2 files: .+, \d+\.\d\d s\n$/mu);
    await dev.save({
      'schema/tasks.sql': `create schema api;\ncreate table api.tasks (id int generated always as identity primary key, task text${index % 2 === 0 ? ', done boolean' : ''});`,
    });
  }
  saving.abort();
  await Promise.all(clients);
  expect(statuses).toEqual(new Set([200, 201]));
});

const file = path.join(folder, VIEW);
const EDITORS: readonly (readonly [editor: string, write: (text: string) => void])[] = [
  [
    'truncates and writes in parts',
    (text) => {
      writeFileSync(file, '');
      for (const part of text.match(/[^]{1,20}/gu) ?? []) appendFileSync(file, part);
    },
  ],
  [
    'renames a temporary file',
    (text) => {
      writeFileSync(`${file}.tmp`, text);
      renameSync(`${file}.tmp`, file);
    },
  ],
  [
    'removes the file first',
    (text) => {
      rmSync(file);
      writeFileSync(file, text);
    },
  ],
  [
    'keeps a backup',
    (text) => {
      renameSync(file, `${file}~`);
      writeFileSync(file, text);
    },
  ],
  ['writes Windows line ends', (text) => writeFileSync(file, text.replaceAll('\n', '\r\n'))],
  [
    'writes a file behind a symbolic link',
    (text) => {
      const target = path.join(folder, 'elsewhere.sql');
      writeFileSync(target, text);
      rmSync(file);
      symlinkSync(target, file);
    },
  ],
  ['writes the target of a symbolic link', (text) => writeFileSync(path.join(folder, 'elsewhere.sql'), text)],
];

/** Events within this time, in milliseconds, belong to one save (`watch-folder.ts`), with a margin. */
const ONE_SAVE_MS = 20;

/**
 * Saves as an editor does, again and again until that took no longer than one save may: beside a load it can be interrupted.
 *
 * @returns where the output of the last save begins, and the column that it has made
 */
async function saveAtOnce(
  index: number,
  write: (text: string) => void,
): Promise<readonly [from: number, name: string]> {
  for (let attempt = 0; ; attempt += 1) {
    const [from, name] = [dev.program.stdout().length, `by_${index}_${attempt}`];
    let took = 0;
    await dev.report(() => {
      const begin = performance.now();
      write(view(name));
      took = performance.now() - begin;
    });
    if (took < ONE_SAVE_MS) return [from, name];
    await dev.printed(/~ view open, \d+\.\d\d s\n/u);
  }
}

test('P4 one line for each save, however the editor writes', { timeout: 120_000 }, async () => {
  const lines: string[] = [];
  let last = '';
  for (const [index, [, write]] of EDITORS.entries()) {
    const [from, name] = await saveAtOnce(index, write);
    // Whatever else this save prints comes before the line of the next one.
    await dev.save({ 'schema/last.sql': `create view api.last as select ${index} as n;` });
    lines.push(dev.program.stdout().slice(from));
    last = name;
  }
  expect(lines.map((text) => text.replaceAll(/\d+\.\d\d s$/gmu, 's'))).toEqual(
    EDITORS.map((_, index) => {
      const change = index === 0 ? '+' : '~';
      return `schema/views.sql: ~ view open, s\nschema/last.sql: ${change} view last, s\n`;
    }),
  );
  expect((await dev.get(`/open?select=${last}&limit=1`)).status).toBe(200);
});

test('P3c rowhouse.conf counts when it is saved, also the first time, and until it is removed', async () => {
  expect(dev.program.stdout()).toContain(`curl 'http://localhost:${dev.port}/tasks?limit=3'`);
  const add = async (): Promise<number> => (await dev.post('/tasks', '{"task":"another"}')).status;
  expect(await add()).toBe(201);
  writeFiles(folder, { 'rowhouse.conf': 'db-anon-role = "pg_read_all_data"\n' });
  await until(async () => (await add()) === 401, { seconds: 30 });
  expect((await dev.get('/tasks?limit=1')).status).toBe(200);
  rmSync(path.join(folder, 'rowhouse.conf'));
  await until(async () => (await add()) === 201, { seconds: 30 });
});

test('P14 a change by hand is served while a save is held back', async () => {
  const file = 'schema/tasks.sql';
  const text = readFileSync(path.join(folder, file), 'utf8');
  expect(await dev.save({ [file]: text.replace(', task text', '') })).toContain('column tasks.task with ');
  await runSql(withDatabase(adminUri(), `${name}_dev`), 'create table api.by_hand (id int)');
  await until(async () => (await dev.get('/by_hand')).text === '[]', { seconds: 30 });
  expect((await dev.get('/tasks?select=task&limit=1')).status).toBe(200);
  expect(await dev.save({ [file]: text })).toMatch(/^schema\/tasks\.sql: no change, \d\.\d\d s$/mu);
});

test('P4 a save every 20 ms is applied while it goes on, and the last one counts', async () => {
  let count = 0;
  const timer = setInterval(
    () => writeFiles(folder, { 'schema/fast.sql': `create view api.fast as select ${(count += 1)} as n;` }),
    20,
  );
  try {
    await dev.report(() => undefined);
  } finally {
    clearInterval(timer);
  }
  await until(async () => (await dev.get('/fast')).text === `[{"n":${count}}]`);
});

test('P4 sessions that are terminated come back with the next save', async () => {
  await runSql(
    adminUri(),
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname in ('${name}_dev', '${name}_shadow')`,
  );
  expect(await dev.save({ [VIEW]: view('again') })).toMatch(/^schema\/views\.sql: ~ view open, \d\.\d\d s$/mu);
  await until(async () => (await dev.get('/open?select=again')).status === 200);
});

test('P12 files that are broken at the start are served once they are correct', async () => {
  const broken = makeFolder({ 'schema/a.sql': 'create schema api; create tablet api.t (id int);' });
  const own = withDatabase(adminUri(), `${name}_broken`);
  await runSql(adminUri(), `create database ${name}_broken`);
  const second = await start(broken, own);
  expect(second.program.stdout()).toContain('schema/a.sql:1:27: syntax error');
  const types = await second.save({ 'schema/a.sql': 'create schema api; create table api.t (id int);' });
  expect(types).toMatch(/^schema\/a\.sql: the database is made, /mu);
  expect((await second.get('/t')).text).toBe('[]');
  second.program.signal('SIGINT');
  expect(await second.program.ended()).toBe(0);
});

test('P3 P18 rows that are made while seed/ is broken survive a restart, and seed/ runs once it is correct', async () => {
  const broken = makeFolder({
    'schema/a.sql': 'create schema api; create table api.t (id int);',
    'seed/a.sql': `insert into api.t values (1);\ninsert into api.t values ('x');\n`,
  });
  const own = withDatabase(adminUri(), `${name}_seed`);
  await runSql(adminUri(), `create database ${name}_seed`);
  const first = await start(broken, own);
  expect(first.program.stdout()).toContain(
    `seed/a.sql:2:27: invalid input syntax for type integer: "x"\n  2 | insert into api.t values ('x');\n    |                           ^\nThe rows are as before. The next save runs seed/ again.\n`,
  );
  expect((await first.post('/t', '{"id": 7}')).status).toBe(201);
  first.program.signal('SIGINT');
  expect(await first.program.ended()).toBe(0);
  const second = await start(broken, own);
  expect(JSON.parse((await second.get('/t')).text)).toEqual([{ id: 7 }]);
  await second.save({ 'schema/a.sql': 'create schema api; create table api.t (id int, n int);' });
  writeFiles(broken, { 'seed/a.sql': 'insert into api.t values (1);' });
  await until(async () => (await second.get('/t?id=eq.1&select=id')).text === '[{"id":1}]', { seconds: 30 });
  second.program.signal('SIGINT');
  expect(await second.program.ended()).toBe(0);
  expect(await noteOf(`${name}_seed_dev`)).toBe(`Made by rowhouse dev ${broken}`);
});

test('P18 Ctrl-C ends it, the rows stay, and the next start serves them', async () => {
  dev.program.signal('SIGINT');
  expect(await dev.program.ended()).toBe(0);
  const sessions = await withConnection(adminUri(), (client) =>
    client.query(`select pid from pg_stat_activity where datname in ('${name}_dev', '${name}_shadow')`),
  );
  expect(sessions.rows).toEqual([]);
  expect(existsSync(path.join(folder, '.rowhouse/dev.pid'))).toBe(false);
  const again = await start(folder, uri);
  expect(JSON.parse((await again.get('/tasks?id=eq.1&select=task')).text)).toEqual([{ task: 'first' }]);
  expect(again.program.stdout()).not.toMatch(/\d s$/mu);
});
