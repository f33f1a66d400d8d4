// `rowhouse check --mutate` as a command: a project whose tests miss some changes.
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { joinCluster } from '../../../tools/testing/cluster/join-cluster.ts';
import { runSql } from '../../../tools/testing/sql/run-sql.ts';
import { type Ended, runProgram, spawnServer } from '../../support/spawned-server.ts';
import { useFolders } from '../project/folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const SCHEMA = `create schema api;
grant usage on schema api to web_user, web_anon;
create table api.notes (id int primary key, owner text not null, is_kept boolean not null);
alter table api.notes enable row level security;
grant select, delete on api.notes to web_user;

create policy own on api.notes to web_user
  using (owner = (select current_setting('request.jwt.claims', true)::json ->> 'sub') and is_kept);

-- rowhouse: allow mutant-survived another program reads it
create view api.kept with (security_invoker = true) as select id from api.notes;
grant select on api.kept to web_user;
`;

const TESTS = `import test from 'node:test';
import assert from 'node:assert/strict';
import { openProject } from 'rowhouse/testing';
const project = await openProject();
const ann = { role: 'web_user', sub: 'ann' };

test('people read their notes', project.test(async (as) => {
  assert.deepEqual((await as(ann).get('/notes?select=id')).rows, [{ id: 1 }]);
}));
test('others do not', async () => {
  const session = await project.begin();
  assert.equal((await session.as.nobody.get('/notes')).status, 401);
  await session.end();
});
`;

const folder = useFolders()({
  'rowhouse.conf': 'db-anon-role = "web_anon"\n',
  'roles.sql': `create role web_anon nologin; create role web_user nologin; create role web_login login noinherit;
grant web_anon, web_user to web_login;`,
  'schema/notes.sql': SCHEMA,
  'seed/notes.sql': `insert into api.notes values (1, 'ann', true), (2, 'bob', true);`,
  'tests/notes.test.js': TESTS,
  'tests/wrong.js': `console.log('It is wrong.'); process.exitCode = 1;`,
  'tests/idle.js': '',
});

beforeAll(() => {
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(ROOT, path.join(folder, 'node_modules/rowhouse'));
});

function mutate(file: string, ...args: readonly string[]): Promise<Ended> {
  return runProgram(['check', '--mutate', ...args, '--', process.execPath, `tests/${file}`], { folder });
}

async function listDatabases(): Promise<readonly (string | null)[]> {
  const { session } = await joinCluster(folder);
  const rows = await runSql(session, `select datname from pg_database where datname ~ 'mutant'`);
  await session.close();
  return rows.map(([name]) => name ?? null);
}

let whole: Ended;

beforeAll(async () => {
  whole = await mutate('notes.test.js', '--json');
});

const OWNER = "(owner = ( SELECT ((current_setting('request.jwt.claims'::text, true))::json ->> 'sub'::text)))";

test('P47 P48 the changes that no test notices are listed with the tests of that relation and role', async () => {
  const survived = { lint: 'mutant-survived', level: 'warning', role: 'web_user', file: 'schema/notes.sql' };
  expect(JSON.parse(whole.stdout), whole.stderr).toEqual({
    findings: [
      {
        ...survived,
        object: 'api.kept',
        line: 12,
        proved: false,
        message: 'No test fails if SELECT on api.kept is revoked from web_user. No test names api.kept as web_user.',
        fix: null,
      },
      {
        ...survived,
        object: 'api.notes',
        line: 7,
        proved: false,
        message:
          'No test fails if USING of the policy own lacks is_kept. Tests of api.notes as web_user: tests/notes.test.js:7.',
        fix: null,
      },
      {
        ...survived,
        object: 'api.notes',
        line: 5,
        proved: false,
        message:
          'No test fails if DELETE on api.notes is revoked from web_user. Tests of api.notes as web_user: tests/notes.test.js:7.',
        fix: null,
      },
    ],
  });
  expect(whole.code).toBe(1);
  expect(await listDatabases()).toEqual([]);
});

test('P47 each change is reported when the tests have run', () => {
  const lines = whole.stderr.replaceAll(/\d+\.\d s/gu, '… s').split('\n');
  expect(lines).toEqual([
    'The tests pass in … s. Mutants: 9.',
    '1/9 noticed schema/notes.sql:7: the policy own is dropped, … s',
    '2/9 noticed schema/notes.sql:7: USING of the policy own is true, … s',
    '3/9 noticed schema/notes.sql:7: USING of the policy own is negated, … s',
    `4/9 noticed schema/notes.sql:7: USING of the policy own lacks ${OWNER}, … s`,
    '5/9 NOT NOTICED schema/notes.sql:7: USING of the policy own lacks is_kept, … s',
    '6/9 NOT NOTICED schema/notes.sql:12: SELECT on api.kept is revoked from web_user, … s',
    '7/9 NOT NOTICED schema/notes.sql:5: DELETE on api.notes is revoked from web_user, … s',
    '8/9 noticed schema/notes.sql:5: SELECT on api.notes is revoked from web_user, … s',
    '9/9 NOT NOTICED schema/notes.sql:11: security_invoker of api.kept is off, … s',
    '',
  ]);
});

test('P47 tests that fail without a change, or that use nothing of the project, are refused', async () => {
  expect(await mutate('wrong.js')).toEqual({
    code: 3,
    stdout: '',
    stderr: 'It is wrong.\nThe tests fail without any change. Nothing was changed.\n',
  });
  const missing = await runProgram(['check', '--mutate', '--', 'no-such-program'], { folder });
  expect([missing.code, missing.stdout, missing.stderr]).toEqual([
    3,
    '',
    'Cannot run no-such-program. Is it installed, and executable?\n',
  ]);
  const idle = await mutate('idle.js');
  expect([idle.code, idle.stdout]).toEqual([3, '']);
  expect(idle.stderr).toContain('no change would reach them');
});

test('P47 Ctrl-C ends the tests and leaves nothing', async () => {
  const spawned = spawnServer(['check', '--mutate', folder, '--', process.execPath, 'tests/notes.test.js'], { folder });
  await spawned.logged(/^1\/9 /mu);
  spawned.signal('SIGINT');
  expect(await spawned.ended()).toBe(3);
  expect(spawned.stderr()).toMatch(/\nInterrupted\.\n$/u);
  expect(spawned.stdout()).toBe('');
  expect(await listDatabases()).toEqual([]);
});

test('P48 what is no project cannot run', async () => {
  const { code, stderr } = await runProgram(['check', 'nowhere', '--mutate', '--', 'x'], { folder });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/nowhere has no folder schema\/\n$/u)]);
});
