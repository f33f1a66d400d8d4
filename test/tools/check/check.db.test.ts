// `rowhouse check` as a command: what it examines, how it reports, and its exit codes.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { adminUri, createDatabase, runRoleSql, runSql } from '../../support/database.ts';
import { type Ended, runProgram } from '../../support/spawned-server.ts';
import { useFolder } from '../../support/use.ts';

const root = useFolder();

const ROLES = `create role web_anon nologin; create role web_user nologin; create role gate login noinherit;
grant web_anon, web_user to gate;`;

async function write(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(root, name);
  const whole = { 'roles.sql': ROLES, 'rowhouse.conf': 'db-anon-role = "web_anon"\n', ...files };
  for (const [file, text] of Object.entries(whole)) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  return folder;
}

function check(args: readonly string[], folder = root): Promise<Ended> {
  return runProgram(['check', ...args], { folder });
}

const SAFE = `create schema api;
grant usage on schema api to web_anon;
create table api.note (id int primary key, body text);
grant select on api.note to web_anon;
`;

test('P42 P48 a folder without findings', async () => {
  const folder = await write('safe', { 'schema/api.sql': SAFE });
  expect(await check([folder])).toMatchObject({ code: 0, stdout: 'Nothing found.\n', stderr: '' });
  const types = path.join(folder, 'types.ts');
  await writeFile(types, 'export type Json = string;\n');
  expect(await check([folder, '--types', types, '--format', 'github'])).toMatchObject({
    code: 2,
    stdout: `::error file=${types},title=types-outdated::${types}: The file differs from the types of the schema.\n`,
  });
  const made = await runProgram(['types', folder, '--exact-functions']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('        Row: {\n          body: string | null;\n          id: number;\n');
  await writeFile(types, made.stdout);
  expect(await check([folder, '--types', types])).toMatchObject({ code: 0, stdout: 'Nothing found.\n' });
});

test('P42 a folder whose files are broken has no types', async () => {
  const folder = await write('no-types', { 'schema/api.sql': 'create table note (id nothing);' });
  const { code, stdout, stderr } = await runProgram(['types', folder]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('schema/api.sql:1:23');
});

const LEAKING = `create schema api;
grant usage on schema api to web_anon, web_user;

-- Orders of customers.
create table api.orders (id int primary key, password_hash text);
grant select, insert on api.orders to web_user;

-- rowhouse: allow rls-off everybody may draw, it is a wall
-- A wall.
create table api."Wall, all" (id int primary key);
grant select, insert on api."Wall, all" to web_anon, web_user;

-- rowhouse: allow secret-readable
create table api.a (id int primary key);

-- rowhouse: allow rls-off no longer true
create table api.b (id int primary key);
`;

test('P45 P48 findings have file and line, allowances silence them, and unused ones are found', async () => {
  const folder = await write('leaking', { 'schema/1_api.sql': LEAKING });
  const { code, stdout } = await check(['--json', folder]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    findings: [
      {
        lint: 'rls-off',
        level: 'warning',
        object: 'api.orders',
        role: 'web_user',
        file: 'schema/1_api.sql',
        line: 5,
        proved: false,
        message:
          'The role may write the table, which has no row-level security: it can write every row. Not proved: no policy ties its rows to a claim.',
        fix: 'ALTER TABLE api.orders ENABLE ROW LEVEL SECURITY;\n-- Then CREATE POLICY for the rows that each role may see and write.',
      },
      {
        lint: 'secret-readable',
        level: 'warning',
        object: 'api.orders',
        role: 'web_user',
        file: 'schema/1_api.sql',
        line: 5,
        proved: false,
        message:
          'The role may read the column password_hash, which looks like a secret. Not proved: no policy ties its rows to a claim.',
        fix: 'REVOKE SELECT ON api.orders FROM web_user;\n-- Then GRANT SELECT (…) on the columns that the role may read.',
      },
      {
        lint: 'unused-allowance',
        level: 'warning',
        object: 'schema/1_api.sql',
        role: null,
        file: 'schema/1_api.sql',
        line: 13,
        proved: false,
        message: 'The allowance of secret-readable gives no reason, so it silences nothing.',
        fix: null,
      },
      {
        lint: 'unused-allowance',
        level: 'warning',
        object: 'schema/1_api.sql',
        role: null,
        file: 'schema/1_api.sql',
        line: 16,
        proved: false,
        message: 'The allowance of rls-off silences nothing: the statement below it has no such finding.',
        fix: null,
      },
    ],
  });
  expect((await check([], folder)).stdout).toMatch(
    /^WARNING rls-off: api\.orders as web_user\n {2}schema\/1_api\.sql:5\n {2}The role .*\n {4}ALTER TABLE[^]*\n0 errors, 4 warnings, 0 notes\. What each one means: .*docs\/check\.md\n$/u,
  );
});

test('P42 P48 files that do not run are errors with their place', async () => {
  const folder = await write('broken', { 'schema/api.sql': `${SAFE}\ncreate table api.note (id int);\n` });
  expect(await check([folder, '--json'])).toMatchObject({
    code: 2,
    stderr: '',
    stdout: `${JSON.stringify(
      {
        findings: [
          {
            lint: 'files-broken',
            level: 'error',
            object: 'schema/api.sql',
            role: null,
            file: 'schema/api.sql',
            line: 6,
            proved: false,
            message: 'relation "note" already exists',
            fix: null,
          },
        ],
      },
      undefined,
      2,
    )}\n`,
  });
});

test.each([
  [['nowhere'], /nowhere has no folder schema\/\n$/u],
  [['leaking/roles.sql'], /roles\.sql has no folder schema\/\n$/u],
  [['postgres://127.0.0.1:1/nowhere'], /^Cannot connect to PostgreSQL at 127\.0\.0\.1:1: .*ECONNREFUSED/u],
  [
    ['mysql://u:secret@127.0.0.1:1/d'],
    /^The URI is not valid: a connection URI begins with postgres:\/\/, not with mysql:\/\/\.\n/u,
  ],
])('P48 what cannot be examined: %j', async (args, message) => {
  const { code, stdout, stderr } = await check(args);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(message);
});

test.each([
  [['a', 'b'], 'check accepts one folder or the URI of one database'],
  [['--format', 'xml'], '--format requires one of text, json, github'],
  [['postgres://x/y', '--types', 'types.ts'], '--types requires a folder'],
])('P48 %j is refused', async (args, message) => {
  const { code, stderr } = await check(args);
  expect(code).toBe(3);
  expect(stderr).toContain(message);
});

test('P42 P48 a database is examined as it is, without files', async () => {
  const database = await createDatabase();
  const [gate, user] = [`${database.name}_gate`, `${database.name}_user`];
  await runRoleSql(
    database.uri,
    `create role ${gate} login noinherit; create role ${user} nologin; grant ${user} to ${gate}; create schema api;
     grant usage on schema api to ${user}; create table api.t (id int primary key); grant insert on api.t to ${user}`,
  );
  const { code, stdout } = await check([database.uri, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    findings: [
      expect.objectContaining({ lint: 'rls-off', object: 'api.t', role: user, file: null, line: null }) as unknown,
    ],
  });
  await database.drop();
  await runSql(adminUri(), `drop role ${gate}; drop role ${user}`);
});

const ORDERS = `create schema api;
grant usage on schema api to web_user;
create table api.orders (id int primary key, total int, note text);
grant select on api.orders to web_user;
`;
const NEW_ORDERS = `create schema api;
grant usage on schema api to web_user;
create table api.orders (id int primary key, amount int);
grant select on api.orders to web_user;
`;
const CHANGE = `alter table api.orders rename total to amount;
alter table api.orders drop note;
`;
const FIRST = { 'migrations/0001_orders.sql': ORDERS };

interface Reported {
  readonly findings: readonly { readonly lint: string; readonly file: string | null; readonly message: string }[];
}

async function findErrors(folder: string): Promise<readonly string[]> {
  const { stdout } = await check(['--json', folder]);
  const { findings } = JSON.parse(stdout) as Reported;
  return findings.map(({ lint, file, message }) => `${lint} ${file}: ${message}`);
}

test('P42 migrations lead to the state of the folder, or what is missing is found', async () => {
  const same = await write('same', { 'schema/api.sql': ORDERS, ...FIRST });
  expect(await check([same])).toMatchObject({ code: 0, stdout: 'Nothing found.\n' });
  const outdated = await write('outdated', { 'schema/api.sql': NEW_ORDERS, ...FIRST });
  expect(await findErrors(outdated)).toEqual([
    'migrations-outdated migrations: The migrations do not lead to the schema of the folder. Missing: column api.orders.amount. Left over: column api.orders.total, column api.orders.note.',
  ]);
});

test('P42 P43 two migrations of one number are noted, with the command that renames one', async () => {
  const folder = await write('same-number', {
    'schema/api.sql': `${ORDERS}create table api.a ();\ncreate table api.b ();\n`,
    ...FIRST,
    'migrations/0002_a.sql': 'create table api.a ();\n',
    'migrations/0002_b.sql': 'create table api.b ();\n',
  });
  expect((await findErrors(folder)).filter((finding) => !finding.startsWith('no-primary-key'))).toEqual([
    'migrations-same-number migrations: 0002_a and 0002_b have the same number, and apply in this order. To apply 0002_b after all others, rename it before a database that matters has it: git mv migrations/0002_b.sql migrations/0003_b.sql.',
  ]);
  const renamed = await write('other-numbers', {
    'schema/api.sql': `${ORDERS}create table api.a (id int primary key);\n`,
    ...FIRST,
    'migrations/0002_a.sql': 'create table api.a (id int primary key);\n',
  });
  expect(await findErrors(renamed)).toEqual([]);
});

test('P43 a role with privileges that no login role may assume is found in roles.sql', async () => {
  const roles = `create role web_anon nologin;
create role web_user nologin;
create role gate login noinherit;
grant web_anon to gate;`;
  const folder = await write('not-assumable', { 'roles.sql': roles, 'schema/api.sql': ORDERS });
  const { code, stdout } = await check(['--json', folder]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    findings: [
      {
        lint: 'role-not-assumable',
        level: 'warning',
        role: 'web_user',
        file: 'roles.sql',
        line: 2,
        message:
          'No login role of roles.sql may assume the role web_user, so every request with it fails in production. Add to roles.sql: grant "web_user" to "gate";',
      },
    ],
  });
  const complete = await write('assumable', { 'schema/api.sql': ORDERS });
  expect(await check([complete])).toMatchObject({ code: 0, stdout: 'Nothing found.\n' });
});

test('P42 a migration accepts in a line of its own what it loses and what it breaks', async () => {
  const silent = await write('silent', {
    'schema/api.sql': NEW_ORDERS,
    ...FIRST,
    'migrations/0002_amount.sql': `-- accepted: column-removed /orders\n${CHANGE}`,
  });
  const file = 'migrations/0002_amount.sql';
  const intended = 'If that is intended, state it in the file: -- accepted:';
  expect(await findErrors(silent)).toEqual([
    `break-not-accepted ${file}: Clients of /orders break: column note is gone. ${intended} column-removed /orders REASON`,
    `break-not-accepted ${file}: Clients of /orders break: column total is called amount now. ${intended} column-renamed /orders REASON`,
    `loss-not-accepted ${file}: The column api.orders.note is dropped. ${intended} column-removed /orders REASON`,
  ]);
  const stated = await write('stated', {
    'schema/api.sql': NEW_ORDERS,
    ...FIRST,
    [file]: `-- accepted: column-removed /orders nobody read it\n-- accepted: column-renamed /orders in the changelog\n${CHANGE}`,
  });
  expect(await findErrors(stated)).toEqual([]);
});

test('P42 a migration that fails is found with its line, a type that no longer fits as a loss', async () => {
  const broken = await write('broken-migration', {
    'schema/api.sql': ORDERS,
    'migrations/0001_orders.sql': `${ORDERS}\nselect nothing;\n`,
  });
  expect(await findErrors(broken)).toEqual([
    'files-broken migrations/0001_orders.sql: column "nothing" does not exist',
  ]);
  const narrowed = await write('narrowed', {
    'schema/api.sql': ORDERS.replace('total int', 'total smallint'),
    ...FIRST,
    'migrations/0002_small.sql': 'alter table api.orders alter total type smallint;\n',
  });
  expect((await findErrors(narrowed)).map((error) => error.replace(/ .*/u, ''))).toEqual([
    'break-not-accepted',
    'loss-not-accepted',
  ]);
});
