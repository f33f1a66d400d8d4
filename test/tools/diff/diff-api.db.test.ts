// `rowhouse diff --api` of a folder and a database, as a program.
import { expect, test } from 'vitest';
import { runProgram } from '../../support/spawned-server.ts';
import { createDatabase, runRoleSql } from '../../support/database.ts';
import { useFolders } from '../project/folder.ts';
import { use } from '../../support/use.ts';

const createFolder = useFolders();

const ROLES = `create role diff_gate login password 'hunter2'; create role diff_anon; create role diff_user;
grant diff_anon, diff_user to diff_gate;`;
const GUARDED = ['diff_gate login', 'diff_anon', 'diff_user'].map(
  (role) =>
    `if not exists (select from pg_roles where rolname = '${role.split(' ')[0]}') then create role ${role}; end if;`,
);
const SCHEMA = `create schema api; grant usage on schema api to diff_anon, diff_user;
create table api.orders (id integer primary key, total numeric); grant select on api.orders to diff_anon;`;

const database = await use(createDatabase());
await runRoleSql(database.uri, `do $$ begin ${GUARDED.join(' ')} end $$; ${SCHEMA}`);

test('P24g nothing breaks while the folder and the database are equal, whatever db-uri says', async () => {
  const folder = createFolder({
    'roles.sql': ROLES,
    'schema/all.sql': SCHEMA,
    'rowhouse.conf': 'db-uri = "postgres://nowhere.invalid/x"\ndb-anon-role = "diff_anon"\n',
  });
  const { code, stdout, stderr } = await runProgram(['diff', '--api', folder, database.uri]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'No change that a client can notice.\n', stderr: '' });
});

test('P24h a break exits with 1, and a log says how many requests it hits', async () => {
  const folder = createFolder({
    'roles.sql': ROLES,
    'schema/all.sql': SCHEMA.replace(', total numeric', ''),
    'access.log': '::1 - diff_anon [27/Nov/2026:10:00:00 +0000] "GET /orders?select=total HTTP/1.1" 200 2 "" ""\n',
  });
  const args = ['diff', '--api', '--json', '--log', `${folder}/access.log`, folder, database.uri];
  const { code, stdout } = await runProgram(args);
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    {
      changes: [
        {
          level: 'breaking',
          kind: 'column-removed',
          schema: 'api',
          path: '/orders',
          signature: null,
          name: 'total',
          privilege: null,
          roles: ['diff_anon'],
          message: 'column total is gone',
          requests: 1,
          samples: ['GET /orders?select=total'],
        },
      ],
    },
  ]);
});

test('P24i without a database everything is new', async () => {
  const folder = createFolder({ 'roles.sql': ROLES, 'schema/all.sql': SCHEMA });
  const { code, stdout } = await runProgram(['diff', '--api', folder]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Compatible
  /orders route-added: the route is new (diff_anon)

0 breaking, 0 risky, 1 compatible
`,
  });
});

test('P50 a database that cannot be read, or a bad file, exits with 2 and shows no password', async () => {
  const folder = createFolder({ 'schema/all.sql': 'create table a (x integr);' });
  const broken = await runProgram(['diff', '--api', folder]);
  expect([broken.code, broken.stdout]).toEqual([2, '']);
  expect(broken.stderr).toMatch(/^schema\/all\.sql:1:19: type "integr" does not exist\n/u);
  const good = createFolder({ 'schema/all.sql': 'create table a (x integer);' });
  const { code, stderr } = await runProgram(['diff', '--api', good, 'postgres://me:hunter2@127.0.0.1:1/x']);
  expect(code).toBe(2);
  expect(stderr).toContain('Cannot connect to PostgreSQL at 127.0.0.1:1: ');
  expect(stderr).not.toContain('hunter2');
});
