import { createHmac } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { renderEmbeddedError } from '../../../tools/embedded/cluster/embedded-error.ts';
import { loadUserSql, type UserSql, renderLoadedSql } from '../../../tools/demo/load-user-sql.ts';
import { clearServerRecord, recordServer } from '../../../tools/demo/server-record.ts';
import { withConnection, withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { startDemo, type Demo, type DemoOptions } from '../../../tools/demo/start-demo.ts';
import { useFolder } from '../../support/use.ts';

let demo: Demo;

const parent = useFolder();
const dataFolder: string = path.join(parent, 'data');
demo = await start();

afterAll(async () => {
  await demo.stop();
});

async function start(options: DemoOptions = {}): Promise<Demo> {
  const started = await startDemo({ dataFolder, ...options });
  if (!started.ok) throw new Error(renderEmbeddedError(started.error));
  return started.value;
}

async function query(uri: string | undefined, sql: string): Promise<readonly unknown[]> {
  return await withConnection(uri ?? '', async (client) => (await client.query<Record<string, unknown>>(sql)).rows);
}

function decodePart(part: string | undefined): unknown {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
}

test('the demo returns the options that the server needs', async () => {
  expect(demo.isNew).toBe(true);
  expect(demo.options).toMatchObject({
    'db-schemas': 'api',
    'db-anon-role': 'demo_anon',
    'server-host': '127.0.0.1',
    'openapi-version': '3.1',
    'server-explorer': 'true',
    'db-plan-enabled': 'true',
    'db-aggregates-enabled': 'true',
    'db-tx-end': 'commit-allow-override',
  });
  expect(await query(demo.options['db-uri'], 'select current_user::text, current_database()::text')).toEqual([
    { current_user: 'authenticator', current_database: 'demo' },
  ]);
  const isLocal = await query(demo.options['db-uri'], 'select inet_client_addr() is null as is_local');
  expect(isLocal).toEqual([{ is_local: process.platform !== 'win32' }]);
  expect(await query(demo.adminUri, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([
    { rolsuper: true },
  ]);
});

test('the token is valid for a year', () => {
  const [header, claims, signature] = demo.userToken.split('.');
  expect(decodePart(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
  expect(decodePart(claims)).toMatchObject({ role: 'demo_user', resident_id: 1 });
  expect(decodePart(claims)).toHaveProperty('exp', expect.closeTo(Date.now() / 1000 + 365 * 24 * 3600, -2));
  const secret = demo.options['jwt-secret'] ?? '';
  expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
  expect(signature).toBe(createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url'));
});

test('only the owner can read the secrets', () => {
  expect(statSync(path.join(dataFolder, 'instance.json')).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(dataFolder, 'postgres.log')).mode & 0o777).toBe(0o600);
});

test('a restart keeps rows, secrets and addresses', async () => {
  await query(demo.adminUri, `insert into api.notes (author_id, title) values (1, 'Do not lose me')`);
  await query(demo.adminUri, 'drop table api.resident_skills');
  const before = demo;
  await demo.stop();
  demo = await start();
  expect(demo.isNew).toBe(false);
  expect(demo.options).toEqual(before.options);
  expect(demo.adminUri).toBe(before.adminUri);
  expect(await query(demo.adminUri, `select title from api.notes where title like 'Do not%'`)).toEqual([
    { title: 'Do not lose me' },
  ]);
  expect(await query(demo.adminUri, `select to_regclass('api.resident_skills') as gone`)).toEqual([{ gone: null }]);
});

test('SQL loaded into another database while the demo runs is served after a restart', async () => {
  const file = path.join(parent, 'books.sql');
  writeFileSync(
    file,
    `create table book (id int primary key, title text); insert into book values (1, 'Middlemarch');`,
  );
  const loaded = await loadUserSql(file, 'library', dataFolder);
  expect(loaded).toEqual({ ok: true, value: { statements: 2, databases: ['library'], served: undefined } });
  await demo.stop();
  demo = await start({ database: 'library' });
  expect(demo.options['db-schemas']).toBe('public');
  const uri = demo.options['db-uri'] ?? '';
  expect(new URL(uri).pathname).toBe('/library');
  const rows = await withConnection(uri, async (client) => {
    await client.query('set role demo_anon');
    return (await client.query<Record<string, unknown>>('select title from book')).rows;
  });
  expect(rows).toEqual([{ title: 'Middlemarch' }]);
});

test('SQL can be loaded while the demo is not running', async () => {
  await demo.stop();
  const file = path.join(parent, 'more.sql');
  writeFileSync(file, `create table pens (colour text); insert into pens values ('blue');`);
  const loaded = await loadUserSql(file, undefined, dataFolder);
  expect(loaded).toEqual({ ok: true, value: { statements: 2, databases: ['demo'], served: undefined } });
  demo = await start();
  expect(await query(demo.adminUri, 'select colour from api.pens')).toEqual([{ colour: 'blue' }]);
});

test('loading does not wait for a server that does not watch for changes', async () => {
  const file = path.join(parent, 'unseen.sql');
  writeFileSync(file, 'create table unseen (id int)');
  const server = { pid: process.pid, apiUrl: 'http://localhost:3000', database: 'demo', schemas: ['api'] };
  recordServer(dataFolder, { ...server, isWatching: false });
  const steps: string[] = [];
  const observer = { onStatement: () => {}, onRows: () => {}, onStep: (step: string) => steps.push(step) };
  const loaded = await loadUserSql(file, undefined, dataFolder, observer);
  clearServerRecord(dataFolder);
  expect(loaded).toMatchObject({ ok: true, value: { served: { kind: 'unaware' } } });
  expect(steps).toEqual([]);
});

test('a missing database is an error, and PostgreSQL is stopped', async () => {
  await demo.stop();
  expect(await startDemo({ dataFolder, database: 'nowhere' })).toEqual({
    ok: false,
    error: { kind: 'noSuchDatabase', database: 'nowhere' },
  });
  demo = await start();
});

test('loading reports query results and progress', async () => {
  const file = path.join(parent, 'queries.sql');
  writeFileSync(
    file,
    `create temp table t (n int, word text);\ninsert into t values (1, null), (2, 'b');\nselect * from t;`,
  );
  const seen: unknown[] = [];
  const loaded = await loadUserSql(file, undefined, dataFolder, {
    onStep: (step) => seen.push(step),
    onStatement: (index, total) => seen.push([index, total]),
    onRows: (rows) => seen.push(rows),
  });
  expect(loaded.ok).toBe(true);
  const rows = [
    ['1', null],
    ['2', 'b'],
  ];
  expect(seen).toEqual([[1, 3], [2, 3], [3, 3], { columns: ['n', 'word'], rows }]);
});

test.each([
  [
    { statements: 59, databases: ['chinook'], served: undefined },
    'Ran 59 statements of a.sql in database chinook.\nTo serve it: ROWHOUSE_DATABASE=chinook npx rowhouse --demo',
  ],
  [
    { statements: 59, databases: ['chinook'], served: { kind: 'otherDatabase' } },
    'Ran 59 statements of a.sql in database chinook.\n' +
      'To serve it, stop the running server and run: ROWHOUSE_DATABASE=chinook npx rowhouse --demo',
  ],
  [
    { statements: 1, databases: ['demo'], served: undefined },
    'Ran 1 statement of a.sql in database demo.\nTo serve tables in the schema api of the demo: npx rowhouse --demo',
  ],
  [
    { statements: 2, databases: ['demo'], served: { kind: 'loaded', routes: ['http://localhost:3000/pens'] } },
    'Ran 2 statements of a.sql in database demo.\nNew: http://localhost:3000/pens',
  ],
  [
    { statements: 2, databases: ['demo'], served: { kind: 'late' } },
    'Ran 2 statements of a.sql in database demo.\nThe server has not loaded the change yet; see its log.',
  ],
  [
    { statements: 2, databases: ['demo'], served: { kind: 'unaware' } },
    'Ran 2 statements of a.sql in database demo.\n' +
      'The server does not listen for changes (db-channel-enabled = false). Restart it to serve this.',
  ],
] satisfies readonly [UserSql, string][])(
  'the message names the changed databases and how to serve them: %j',
  (loaded, text) => {
    expect(renderLoadedSql('a.sql', loaded, 'npx rowhouse')).toBe(text);
  },
);

test.each([
  ['damaged', (file: string): void => writeFileSync(file, '{')],
  ['missing', (file: string): void => rmSync(file)],
])('a file of passwords that is %s is an error', async (word, damage) => {
  await demo.stop();
  const file = path.join(dataFolder, 'instance.json');
  damage(file);
  const started = await startDemo({ dataFolder });
  expect(started).toMatchObject({ ok: false, error: { kind: 'folderUnusable', folder: file } });
  expect(started.ok ? '' : renderEmbeddedError(started.error)).toContain(word);
});

test('switching the database in a URI keeps credentials and port', () => {
  expect(withDatabase('postgres://a:b%40c@127.0.0.1:5433/postgres', 'my db')).toBe(
    'postgres://a:b%40c@127.0.0.1:5433/my%20db',
  );
});
