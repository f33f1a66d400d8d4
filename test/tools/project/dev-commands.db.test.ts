// The commands beside a running `rowhouse dev DIR`, in the folder of the project, and what the program says about its
// surroundings.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { sendRequest } from '../../support/local-server.ts';
import { runProgram } from '../../support/spawned-server.ts';
import { adminUri, runSql } from '../../support/database.ts';
import { useFolders, writeFiles } from './folder.ts';
import { type StartedDev, useDev } from './started-dev.ts';

const name = `commands_${randomBytes(4).toString('hex')}`;
const uri = withDatabase(adminUri(), name);
const folder = useFolders()({
  'schema/tasks.sql': `create schema api;
grant usage on schema api to ${name};
create table api.tasks (id int primary key);
grant select on api.tasks to ${name};`,
  'roles.sql': `create role ${name} nologin;\ncreate role ${name}_login login noinherit;\ngrant ${name} to ${name}_login;`,
});
const start = useDev();
let dev: StartedDev;

beforeAll(async () => {
  await runSql(adminUri(), `create database ${name}`);
  dev = await start(folder, uri);
}, 120_000);
afterAll(async () => {
  for (const suffix of ['', '_dev', '_shadow'])
    await runSql(adminUri(), `drop database if exists ${name}${suffix} with (force)`);
  await runSql(adminUri(), `drop role if exists ${name}, ${name}_login`);
});

test('P6b the banner says how to connect to the database', () => {
  const own = Object.assign(new URL(withDatabase(uri, `${name}_dev`)), { password: '' }).href;
  expect(dev.program.stdout()).toContain(`  Database: psql '${own}'\n`);
});

test('P6c in the folder, the key of the running server signs tokens', async () => {
  const { stdout, code } = await runProgram(['token', '--role', name], { folder });
  expect(code).toBe(0);
  const { status, text } = await sendRequest(
    { host: '127.0.0.1', port: dev.port, path: '/tasks' },
    { headers: { Authorization: `Bearer ${stdout.trim()}` } },
  );
  expect([status, text]).toEqual([200, '[]']);
});

test('P6d in the folder, sql runs a file in the database that is served', async () => {
  writeFiles(folder, { 'more.sql': 'insert into api.tasks values (7); select id from api.tasks;' });
  const { stdout, code } = await runProgram(['sql', 'more.sql'], { folder });
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, 'Ran 2 statements of more.sql.']);
  expect((await dev.get('/tasks')).text).toBe('[{"id":7}]');
});

test('P6e in the folder, variables of .env count unless they are set', async () => {
  writeFiles(folder, { '.env': 'SVC_JWT_SECRET="a secret of the file, 32 characters or more"\n' });
  const issue = (environment: Readonly<Record<string, string>> = {}): ReturnType<typeof runProgram> =>
    runProgram(['token', '--role', name, '--claim', 'exp=2000000000'], { folder, environment });
  const own = await issue();
  const other = await issue({ SVC_JWT_SECRET: 'another secret, also with 32 characters or more' });
  const same = await issue({ SVC_JWT_SECRET: 'a secret of the file, 32 characters or more' });
  expect(own.stdout).toBe(same.stdout);
  expect(own.stdout).not.toBe(other.stdout);
});

test('P5d a table without a schema is named at the save, and by its 404', async () => {
  const note =
    'schema/reviews.sql:1: public.reviews is not served (db-schemas = api). To serve it: create table api.reviews, or add public to db-schemas.';
  await dev.save({ 'schema/reviews.sql': 'create table reviews (id int);' });
  await dev.printed(`${note}\n`);
  const { status, text } = await dev.get('/reviews');
  expect([status, (JSON.parse(text) as { hint: string }).hint]).toEqual([404, note]);
});

test('P9c findings that are new after a save are named in one line', async () => {
  await dev.save({
    'schema/secrets.sql': `create table api.accounts (id int primary key, password text);\ngrant select, insert on api.accounts to ${name};`,
  });
  expect(await dev.printed(/^check: .*\n/mu)).toMatch(
    /^check: new: rls-off api\.accounts \(schema\/secrets\.sql:1\)/mu,
  );
});

test('a configuration file that is not valid is not read again', async () => {
  writeFiles(folder, { 'rowhouse.conf': 'db-pool = "many"\n' });
  await dev.printed('rowhouse.conf: not applied; the options from before stay\n');
});

test('a port that is taken is named with its holder, and the next one is offered', async () => {
  const { port } = dev;
  const { code, stderr } = await runProgram(['dev', adminUri(), '--server-port', String(port)]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(
      `^Port ${port} is in use( by process \\d+ \\(.*\\))?\\.\nStop it, or use other ports: .* dev --server-port \\d+\n$`,
      'u',
    ),
  );
});
