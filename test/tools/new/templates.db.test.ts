// The templates of `rowhouse new`: what is written, and what their policies allow.
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { writeProject } from '../../../tools/new/write-project.ts';
import type { TestDatabase } from '../../support/database.ts';
import manifest from '../../../package.json' with { type: 'json' };
import tanstackPackage from '../../../packages/tanstack-db/package.json' with { type: 'json' };
import { linkPackages } from '../../support/link-packages.ts';
import { createFromTemplate, type Template } from '../../support/template-database.ts';
import { useFolders } from '../project/folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const createFolder = useFolders();

/** Runs SQL as a person, in a transaction that is rolled back; returns the first column, or the SQLSTATE. */
type As = (person: string | undefined, sql: string) => Promise<readonly unknown[] | string>;

function useTemplate(template: Template): As {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createFromTemplate(template, createFolder({}));
  });
  afterAll(() => database.drop());
  return (person, sql) => withConnection(database.uri, (client) => runAs(client, person, sql));
}

async function runAs(client: Client, person: string | undefined, sql: string): Promise<readonly unknown[] | string> {
  const claims = person === undefined ? '' : JSON.stringify({ sub: person });
  await client.query('begin');
  await client.query(`select set_config('request.jwt.claims', $1, true)`, [claims]);
  await client.query(`set local role ${person === undefined ? 'web_anon' : 'web_user'}`);
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows.map((row) => Object.values(row)[0]);
  } catch (error) {
    return String(error instanceof Error && Reflect.get(error, 'code'));
  }
}

const DENIED = '42501';

describe('todo', () => {
  const as = useTemplate('todo');
  test('P31 anyone reads and adds, only what is open changes, and only what is done goes', async () => {
    expect(await as(undefined, 'select title from api.todos order by id')).toHaveLength(3);
    expect(await as(undefined, `insert into api.todos (title) values ('x') returning is_done`)).toEqual([false]);
    expect(await as(undefined, `insert into api.todos (title, is_done) values ('x', true)`)).toBe(DENIED);
    expect(await as(undefined, `update api.todos set is_done = true where id = 2 returning id`)).toEqual(['2']);
    expect(await as(undefined, `update api.todos set title = 'x' where id = 1 returning id`)).toEqual([]);
    expect(await as(undefined, 'delete from api.todos returning id')).toEqual(['1']);
    expect(await as(undefined, 'select done * 10 + total from api.progress()')).toEqual(['13']);
  });
});

describe('shop', () => {
  const as = useTemplate('shop');
  test('P31b customers see their own orders, and order what is listed and in stock', async () => {
    expect(await as(undefined, 'select name from api.products order by name')).toEqual(['Cup', 'Kettle', 'Teapot']);
    expect(await as(undefined, 'select id from api.orders')).toBe(DENIED);
    expect(await as('ann', 'select id from api.orders')).toEqual(['1']);
    expect(await as('ann', 'select product_id from api.order_items order by 1')).toEqual(['1', '3']);
    expect(await as('ann', 'select total from api.order_totals')).toEqual(['63.90']);
    expect(await as('ann', `insert into api.orders (customer) values ('ann')`)).toBe(DENIED);
    const order = (product: number, quantity: number): string =>
      `select api.place_order('[{"product": ${product}, "quantity": ${quantity}}]')`;
    expect(await as('ann', order(2, 5))).toEqual(['3']);
    expect(await as('ann', order(2, 6))).toBe('23514');
    expect(await as('ann', order(4, 1))).toBe('P0002');
    expect(await as('ann', `select api.place_order('[]')`)).toBe('22023');
    expect(await as(undefined, order(2, 1))).toBe(DENIED);
  });
});

describe('chat', () => {
  const as = useTemplate('chat');
  test('P31c members read and write, and only the author changes a message', async () => {
    expect(await as(undefined, 'select name from api.rooms order by name')).toEqual(['Garden', 'Kitchen']);
    expect(await as(undefined, 'select id from api.messages')).toBe(DENIED);
    expect(await as('ann', 'select id from api.messages order by id')).toEqual(['1', '2']);
    expect(await as('ann', 'select count(*) from api.members')).toEqual(['2']);
    expect(await as('ann', `insert into api.messages (room_id, body) values (1, 'x') returning author`)).toEqual([
      'ann',
    ]);
    expect(await as('ann', `insert into api.messages (room_id, body) values (2, 'x')`)).toBe(DENIED);
    expect(await as('ann', `insert into api.messages (room_id, body, author) values (1, 'x', 'bob')`)).toBe(DENIED);
    expect(await as('ann', `update api.messages set body = 'x' returning id`)).toEqual(['1']);
    expect(await as('ann', 'delete from api.messages returning id')).toEqual(['1']);
    expect(await as('ann', 'insert into api.members (room_id) values (2)')).toEqual([]);
    expect(await as('ann', 'delete from api.members returning person')).toEqual(['ann']);
  });
});

describe('tenants', () => {
  const as = useTemplate('tenants');
  test('P31d nothing of another organization is seen or written', async () => {
    expect(await as('ann', 'select name from api.organizations')).toEqual(['Bakery']);
    expect(await as('bob', 'select name from api.organizations order by name')).toEqual(['Bakery', 'Workshop']);
    expect(await as('eve', 'select id from api.tasks')).toEqual([]);
    expect(await as(undefined, 'select id from api.tasks')).toBe(DENIED);
    expect(await as('ann', `insert into api.projects (organization_id, name) values (1, 'x') returning name`)).toEqual([
      'x',
    ]);
    expect(await as('ann', `insert into api.projects (organization_id, name) values (2, 'x')`)).toBe(DENIED);
    expect(await as('ann', `insert into api.tasks (organization_id, project_id, title) values (1, 2, 'x')`)).toBe(
      '23503',
    );
    expect(await as('ann', 'update api.tasks set is_done = true returning id')).toEqual(['1']);
  });

  test('P31e only admins invite, change and remove', async () => {
    expect(await as('ann', `insert into api.memberships values (1, 'eve') returning duty`)).toEqual(['member']);
    expect(await as('bob', `insert into api.memberships values (1, 'eve')`)).toBe(DENIED);
    expect(
      await as('bob', `update api.memberships set duty = 'admin' where organization_id = 1 returning person`),
    ).toEqual([]);
    expect(await as('bob', `delete from api.memberships where person = 'ann' returning person`)).toEqual([]);
    expect(await as('bob', `update api.organizations set name = 'x' returning id`)).toEqual(['2']);
  });
});

test.each(['todo', 'shop', 'chat', 'tenants', 'tasks-live'] as const)(
  'P31f %s has the files that its scripts name, and no secret',
  (template) => {
    const folder = path.join(createFolder({}), 'My App');
    expect(writeProject(folder, template, { kind: 'registry', version: '0.1.0' })).toEqual({ ok: true });
    const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
    const { name, scripts, dependencies, allowScripts } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    expect(name).toBe('my-app');
    const names = ['dev', 'web', 'build', 'test', 'check', 'diff', 'migrate', 'deploy', 'start'];
    expect(Object.keys(scripts ?? {})).toEqual(names);
    const others = template === 'tasks-live' ? { '@rowhouse/live': '0.1.0', '@rowhouse/tanstack-db': '0.1.0' } : {};
    expect(dependencies).toMatchObject({ rowhouse: '0.1.0', ...others });
    // npm has nothing to warn about.
    const scripted = Object.keys(manifest.optionalDependencies).map((optional) => [optional, false]);
    expect(allowScripts).toEqual(Object.fromEntries(scripted));
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['.rowhouse/', '.env']));
    expect(read('Dockerfile')).not.toContain('vendor');
    expect(read('README.md')).not.toContain('vendor');
    for (const file of [
      'README.md',
      'Dockerfile',
      '.github/workflows/ci.yml',
      'web/index.html',
      template === 'tasks-live' ? 'web/app.tsx' : 'web/app.ts',
      'roles.sql',
    ])
      expect(read(file)).not.toMatch(/(?:password|jwt[-_]secret)\s*[=:]\s*['"\w]/iu);
    expect(read('README.md').split('\n').length).toBeLessThan(60);
  },
);

test('P31h a package file goes into the project, which names it there', () => {
  const parent = createFolder({ 'rowhouse-0.1.0.tgz': 'the package' });
  const folder = path.join(parent, 'shop');
  const file = path.join(parent, 'rowhouse-0.1.0.tgz');
  expect(writeProject(folder, 'shop', { kind: 'file', file })).toEqual({ ok: true });
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  expect(JSON.parse(read('package.json'))).toMatchObject({
    dependencies: { rowhouse: `file:vendor/rowhouse-${manifest.version}.tgz` },
  });
  expect(read(`vendor/rowhouse-${manifest.version}.tgz`)).toBe('the package');
  expect(read('Dockerfile')).toContain('COPY vendor ./vendor/\n');
  expect(read('README.md')).toContain('Once they are in a registry: `npm install rowhouse`');
});

test('B100 the packages of a page go into the project too', () => {
  const parent = createFolder({ [`rowhouse-${manifest.version}.tgz`]: 'the package' });
  const folder = path.join(parent, 'party');
  const file = path.join(parent, `rowhouse-${manifest.version}.tgz`);
  expect(writeProject(folder, 'tasks-live', { kind: 'file', file })).toEqual({ ok: true });
  const { dependencies, scripts, overrides } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, unknown>>;
  const names = ['rowhouse', 'rowhouse-live', 'rowhouse-tanstack-db'].map((name) => `${name}-${manifest.version}.tgz`);
  expect(dependencies).toMatchObject({
    rowhouse: `file:vendor/${names[0]}`,
    '@rowhouse/live': `file:vendor/${names[1]}`,
    '@rowhouse/tanstack-db': `file:vendor/${names[2]}`,
  });
  expect(readdirSync(path.join(folder, 'vendor')).toSorted()).toEqual(names);
  expect(scripts?.['dev']).toBe('node dev.js');
  // One TanStack DB, of a version that the package works with.
  expect([dependencies?.['@tanstack/db'], overrides]).toEqual([
    tanstackPackage.peerDependencies['@tanstack/db'],
    {
      '@tanstack/react-db': { '@tanstack/db': '$@tanstack/db' },
      '@tanstack/offline-transactions': { '@tanstack/db': '$@tanstack/db' },
    },
  ]);
});

test('P31i the image starts the program itself as another user than root, without packages of development', () => {
  const folder = path.join(createFolder({}), 'shop');
  expect(writeProject(folder, 'shop', { kind: 'registry', version: '0.1.0' })).toEqual({ ok: true });
  const lines = readFileSync(path.join(folder, 'Dockerfile'), 'utf8').split('\n');
  expect(lines).toContain('CMD ["rowhouse", "rowhouse.conf"]');
  expect(lines.indexOf('USER node')).toBeGreaterThan(lines.findIndex((line) => line.startsWith('RUN npm ci')));
  expect(lines.find((line) => line.startsWith('RUN '))).toContain('--omit=dev --omit=optional');
});

test.each(['todo', 'shop', 'chat', 'tenants', 'tasks-live'] as const)(
  'P31j the types of %s that its page uses are those of its files',
  async (template) => {
    const folder = path.join(createFolder({}), template);
    writeProject(folder, template, { kind: 'registry', version: '0.1.0' });
    const main = path.join(ROOT, 'dist/cli/main.js');
    const types = spawnSync(process.execPath, [main, 'types', folder], { encoding: 'utf8' });
    expect(types).toMatchObject({ status: 0, stdout: readFileSync(path.join(folder, 'web/database.ts'), 'utf8') });
    linkPackages(folder);
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(spawnSync(process.execPath, [compiler], { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
    });
  },
  60_000,
);

test('P31g nothing is written into a folder that is not empty', () => {
  const folder = createFolder({});
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'src/x'), 'x');
  const own = { kind: 'registry', version: '0.1.0' } as const;
  expect(writeProject(folder, 'todo', own)).toEqual({
    ok: false,
    error: `${folder} is not empty: nothing was written`,
  });
});

test('P33 npm create rowhouse is a package that calls rowhouse new, of the same version', () => {
  const source = path.resolve(import.meta.dirname, '../../../packages/create-rowhouse');
  const { version, dependencies } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  expect({ version, dependencies }).toEqual({
    version: manifest.version,
    dependencies: { rowhouse: manifest.version },
  });
  const folder = createFolder({});
  mkdirSync(path.join(folder, 'node_modules'));
  cpSync(source, path.join(folder, 'node_modules/create-rowhouse'), { recursive: true });
  symlinkSync(path.resolve(source, '../..'), path.join(folder, 'node_modules/rowhouse'));
  const create = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, ['node_modules/create-rowhouse/create.js', ...args], { cwd: folder, encoding: 'utf8' });
  expect(create('my-shop', '--template', 'shop')).toMatchObject({
    status: 0,
    stdout:
      'Wrote my-shop from the template shop (--template names another one: todo, chat, tenants, tasks-live). Next:\n\n  cd my-shop\n  npm install\n  npm run dev\n',
    stderr: '',
  });
  expect(readdirSync(path.join(folder, 'my-shop/schema'))).toContain('place_order.sql');
  // A clone is packed.
  expect(readdirSync(path.join(folder, 'my-shop/vendor'))).toEqual([`rowhouse-${manifest.version}.tgz`]);
  expect(create('my-shop')).toMatchObject({ status: 2, stdout: '' });
  expect(create('other', '--template', 'forum').status).toBe(2);
});
