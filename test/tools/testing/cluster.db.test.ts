// The PostgreSQL of tests: it is made once, shared by processes, and ends when nobody uses it.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { openProject } from '../../../tools/testing/index.ts';
import { findLivePostmaster } from '../../../tools/embedded/cluster/postmaster-file.ts';
import { joinCluster } from '../../../tools/testing/cluster/join-cluster.ts';
import { keepCluster } from '../../../tools/testing/cluster/keeper.ts';
import { runSql } from '../../../tools/testing/sql/run-sql.ts';
import { useFolders, writeFiles } from '../project/folder.ts';

const run = promisify(execFile);
const LIBRARY = path.resolve(import.meta.dirname, '../../../dist/testing/index.js');
const root = useFolders()({
  'rowhouse.conf': 'db-anon-role = "web_anon"\n',
  'roles.sql': 'create role web_anon nologin;',
  'schema/things.sql': 'create table things (id int primary key); grant select on things to web_anon;',
  'seed/things.sql': `\\copy things (id) from 'things.csv' csv header\n`,
  'seed/things.csv': 'id\n1\n2\n',
});

const PROGRAM = `
import { openProject } from ${JSON.stringify(LIBRARY)};
const project = await openProject(process.argv[1]);
await project.test(async (as) => console.log(JSON.stringify((await as.nobody.get('/things')).rows)))();
`;

interface Cluster {
  readonly pid: number | undefined;
  /** The templates, with the identifier that each creation changes. */
  readonly templates: string;
}

async function inspect(): Promise<Cluster> {
  const { session } = await joinCluster(root);
  const sql = `select string_agg(datname || ' ' || oid, ',') from pg_database where datname like 'template\\_%'`;
  const [row] = await runSql(session, sql);
  await session.close();
  return { pid: findLivePostmaster(path.join(root, '.rowhouse/testing/pgdata'))?.pid, templates: row?.[0] ?? '' };
}

let first: Cluster;
let outputs: readonly { readonly stdout: string; readonly stderr: string }[];

beforeAll(async () => {
  // The first start finds neither a cluster nor a template.
  outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '-e', PROGRAM, root])));
  first = await inspect();
});

async function readThings(dir: string = root): Promise<unknown> {
  let rows: unknown;
  const project = await openProject(dir);
  expect(project.root).toBe(root);
  await project.test(async (as) => ({ rows } = await as.nobody.get('/things')))();
  return rows;
}

test('P34a processes that start at once share one cluster and one template, and end by themselves', () => {
  expect(outputs).toEqual(outputs.map(() => ({ stdout: '[{"id":1},{"id":2}]\n', stderr: '' })));
  expect(first.templates).toMatch(/^template_[\da-f]{12} \d+$/u);
});

test('P1 a project without a `.gitignore` gets one that leaves out what the tools make', () => {
  expect(readFileSync(path.join(root, '.gitignore'), 'utf8')).toBe('.rowhouse/\n');
});

test('P34b the project is that of the nearest folder with `schema/`, and the template is kept while no file changes', async () => {
  mkdirSync(path.join(root, 'tests/deep'), { recursive: true });
  expect(await readThings(path.join(root, 'tests/deep'))).toEqual([{ id: 1 }, { id: 2 }]);
  writeFiles(root, { 'tests/deep/a.sql': 'select 1' });
  await readThings();
  expect(await inspect()).toEqual(first);
  await expect(openProject(path.dirname(path.dirname(root)))).rejects.toThrow('has a folder schema/');
});

test('P34c the template is made again when a file of the schema, the roles or the seed changes', async () => {
  writeFiles(root, { 'seed/things.csv': 'id\n7\n' });
  expect(await readThings()).toEqual([{ id: 7 }]);
  writeFiles(root, { 'schema/things.sql': `create table things (id int primary key, name text default 'x');` });
  expect(await readThings()).toEqual([]);
  writeFiles(root, {
    'schema/things.sql': `create table things (id int primary key, name text default 'x'); grant select on things to web_anon;`,
  });
  expect(await readThings()).toEqual([{ id: 7, name: 'x' }]);
  writeFiles(root, { 'roles.sql': 'create role web_anon nologin connection limit 5;' });
  expect(await readThings()).toEqual([{ id: 7, name: 'x' }]);
  const { pid, templates } = await inspect();
  expect(pid).toBe(first.pid);
  expect(templates).toMatch(/^template_[\da-f]{12} \d+$/u);
  expect(templates).not.toBe(first.templates);
});

test('P34d a broken file is reported with its line, and mending it suffices', async () => {
  writeFiles(root, { 'schema/broken.sql': 'create table other (\n  id integr\n);' });
  await expect(openProject(root)).rejects.toThrow(/schema\/broken\.sql:2:6: type "integr" does not exist\n/u);
  writeFiles(root, { 'schema/broken.sql': 'create table other (\n  id integer\n);' });
  expect(await readThings()).toEqual([{ id: 7, name: 'x' }]);
});

test('P34d a seed that no longer fits is reported without a line of the bundle', async () => {
  writeFiles(root, { 'seed/zz.sql': 'insert into things values (null);' });
  const message =
    'Error: seed/zz.sql:1:1: null value in column "id" of relation "things" violates not-null constraint\n' +
    '  1 | insert into things values (null);\n    | ^\n  DETAIL: Failing row contains (null, x).';
  const failed = await run(process.execPath, ['--input-type=module', '-e', PROGRAM, root]).catch((error) => error);
  expect(failed.stderr).toContain(message);
  expect(failed.stderr).not.toContain('dist/');
  rmSync(path.join(root, 'seed/zz.sql'));
});

test('P34e the cluster stays while there is a client, and ends after the last one', async () => {
  const other = useOther();
  const reports: string[] = [];
  let report: () => void = () => undefined;
  const isReported = new Promise<void>((resolve) => (report = resolve));
  const ended = keepCluster(other, ({ kind }) => (reports.push(kind), report()), 300);
  await isReported;
  const { session } = await joinCluster(other);
  await keepCluster(other, ({ kind }) => reports.push(kind), 0);
  expect(reports).toEqual(['ready', 'busy']);
  expect(await Promise.race([ended.then(() => 'ended'), runSql(session, 'select pg_sleep(1)')])).not.toBe('ended');
  await session.close();
  await ended;
  expect(findLivePostmaster(path.join(other, '.rowhouse/testing/pgdata'))).toBeUndefined();
});

function useOther(): string {
  const other = path.join(root, 'other');
  mkdirSync(path.join(other, 'schema'), { recursive: true });
  return other;
}
