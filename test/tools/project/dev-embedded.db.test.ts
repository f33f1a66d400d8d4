// `rowhouse dev DIR` with the embedded PostgreSQL, from one start to the next.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../support/spawned-server.ts';
import { until } from '../../support/until.ts';
import { useFolders, writeFiles } from './folder.ts';
import { type StartedDev, useDev } from './started-dev.ts';

const makeFolder = useFolders();
const start = useDev();

async function tasksOf(dev: StartedDev): Promise<unknown> {
  const { status, text } = await dev.get('/tasks?select=task&order=id');
  return [status, JSON.parse(text)];
}

test('P6 P17 P18b P16 P3c the folder is served, and its rows stay until the database is recreated', async () => {
  const folder = makeFolder({
    'schema/tasks.sql':
      'create schema api;\ncreate table api.tasks (id int generated always as identity primary key, task text);',
    'roles.sql': 'create role reader nologin;',
    'schema/zz_access.sql': 'grant usage on schema api to reader; grant select, insert on api.tasks to reader;',
    'rowhouse.conf': 'db-anon-role = "reader"\ndb-uri = "postgres://nobody@127.0.0.1:1/nowhere"\n',
    'seed/tasks.csv': 'task\nfirst\n',
    'seed/tasks.sql': "\\copy api.tasks (task) from 'tasks.csv' csv header",
  });
  const types = path.join(folder, 'types.ts');
  const first = await start(folder, '--types', types);
  expect(await tasksOf(first)).toEqual([200, [{ task: 'first' }]]);
  expect(first.program.stdout()).toContain('they run as the role reader.');
  expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe('.rowhouse/\n');
  expect(
    await first.save({
      'schema/tasks.sql': readFileSync(path.join(folder, 'schema/tasks.sql'), 'utf8').replace(
        'task text',
        'task text, done boolean',
      ),
    }),
  ).toContain('+ column tasks.done');
  await until(() => readFileSync(types, 'utf8').includes('done'), {
    seconds: 30,
    why: () => readFileSync(types, 'utf8'),
  });
  expect((await first.post('/tasks', '{"task":"second"}')).status).toBe(201);
  writeFiles(folder, { 'rowhouse.conf': 'db-anon-role = "reader"\ndb-max-rows = 1\n' });
  await first.printed('rowhouse.conf: read again\n');
  expect(await tasksOf(first)).toEqual([200, [{ task: 'first' }]]);
  writeFiles(folder, { 'rowhouse.conf': 'db-anon-role = "reader"\n' });
  first.program.signal('SIGINT');
  expect(await first.program.ended()).toBe(0);
  const cluster = path.join(folder, '.rowhouse/postgres/pgdata');
  expect([existsSync(cluster), existsSync(path.join(cluster, 'postmaster.pid'))]).toEqual([true, false]);

  const second = await start(folder);
  expect(await tasksOf(second)).toEqual([200, [{ task: 'first' }, { task: 'second' }]]);
  expect(second.program.stdout()).not.toContain('schema/tasks.sql');
  second.program.signal('SIGTERM');
  await second.program.ended();

  const reseeded = await start(folder, '--reseed', '--allow-loss');
  expect(await tasksOf(reseeded)).toEqual([200, [{ task: 'first' }]]);
  expect((await reseeded.post('/tasks', '{"task":"third"}')).status).toBe(201);
  reseeded.program.signal('SIGTERM');
  await reseeded.program.ended();

  const fresh = await start(folder, '--fresh', '--types', path.join(folder, 'nowhere/types.ts'));
  await until(() => fresh.program.stdout().includes('The types were not written: '), {
    seconds: 30,
    why: fresh.program.stdout,
  });
  expect(await tasksOf(fresh)).toEqual([200, [{ task: 'first' }]]);
});

test('P6b a folder without schema/ is refused with what to do', async () => {
  const refused = await runProgram(['dev', makeFolder({ 'readme.txt': '' })]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /^The folder .* has no schema\/\. Create it, with files such as schema\/tables\.sql\.\n$/u,
  );
});
