// `rowhouse deploy`: a dry run and a real one against fresh clusters of PostgreSQL 18 and, where the system has it, 15.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedPostgres } from '../../../tools/embedded/cluster/embedded-postgres.ts';
import { withConnection, withDatabase } from '../../../tools/embedded/script/sql-session.ts';
import { runProgram } from '../../support/spawned-server.ts';
import { skipped } from '../../support/skipped.ts';
import { useFolders, writeFiles } from '../project/folder.ts';
import { startOwnPostgres } from '../../support/own-postgres.ts';

const DEBIAN = '/usr/lib/postgresql/15/bin';
const PASSWORD = 'a-password-of-the-test';
const createFolder = useFolders();

const PROJECT = {
  'rowhouse.conf': 'db-schemas = "api"\ndb-anon-role = "web_anon"\n',
  'roles.sql': `create role web_anon nologin;
create role web_login login noinherit;
grant web_anon to web_login;
alter role web_anon set statement_timeout = '5s';
`,
  'migrations/0001_first.sql': `grant web_anon to web_login;
alter role web_anon set statement_timeout = '5s';
create schema api;
grant usage on schema api to web_anon;
create table api.items (id int primary key);
alter table api.items enable row level security;
create policy all_of_them on api.items for select to web_anon using (true);
grant select on api.items to web_anon;
`,
};

describe.each([
  ['18', undefined, undefined],
  ['15', DEBIAN, existsSync(DEBIAN) ? undefined : 'no PostgreSQL 15: apt-get install postgresql-15'],
] as const)('PostgreSQL %s', (version, binFolder, missing) => {
  describe.skipIf(missing !== undefined)(skipped('a fresh cluster', missing), () => {
    const folder = createFolder(PROJECT);
    let postgres: EmbeddedPostgres;
    let uri: string;

    beforeAll(async () => {
      postgres = await startOwnPostgres({}, { binFolder, password: 'the-superuser' });
      await withConnection(postgres.uri, (client) =>
        client.query(`create role shop_owner login createrole createdb password 'secret'`),
      );
      uri = Object.assign(new URL(withDatabase(postgres.uri, 'shop')), {
        username: 'shop_owner',
        password: 'secret',
      }).href;
    }, 60_000);
    afterAll(() => postgres.stop());

    const deploy = (
      args: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ): ReturnType<typeof runProgram> => runProgram(['deploy', folder, uri, ...args], { environment: env });
    const head = (): string => {
      const { host } = new URL(uri);
      return `Deploy ${folder} to the database shop at ${host} (PostgreSQL ${version}), as shop_owner:`;
    };

    test('a dry run shows the plan and changes nothing', async () => {
      const { code, stdout } = await deploy(['--dry-run']);
      expect(stdout).toBe(`${head()}
  create the database shop
  create the roles web_anon, web_login
  set the password of web_login
  apply the migration 0001_first
Nothing was run: the database does not exist yet.
`);
      expect(code).toBe(0);
      const { rows } = await withConnection(postgres.uri, (client) =>
        client.query(`select from pg_database where datname = 'shop'`),
      );
      expect(rows).toEqual([]);
    });

    test('without a terminal it needs --yes, and a password before anything is done', async () => {
      expect(await deploy([])).toMatchObject({ code: 2, stderr: 'Nothing was done. Pass --yes to do it.\n' });
      expect(await deploy(['--yes'])).toMatchObject({
        code: 2,
        stderr:
          'Nothing was done. The role web_login needs a password: set ROWHOUSE_LOGIN_PASSWORD, or pass --password-file FILE.\n',
      });
    });

    test('it creates what is missing, and checks the result as the login role', async () => {
      const { code, stdout, stderr } = await deploy(['--yes'], { ROWHOUSE_LOGIN_PASSWORD: PASSWORD });
      expect(stderr).toMatch(/^0001_first  \d+ ms\n$/u);
      const { host } = new URL(uri);
      expect(stdout).toContain(`  SVC_DB_URI=postgres://web_login:PASSWORD@${host}/shop\n`);
      expect(stdout).toContain('Checked as web_login:\n');
      expect(stdout).not.toContain(PASSWORD);
      expect(code).toBe(0);
      const login = Object.assign(new URL(uri), { username: 'web_login', password: PASSWORD }).href;
      await withConnection(login, async (client) => {
        await client.query('set role web_anon');
        expect((await client.query('select * from api.items')).rows).toEqual([]);
      });
      await expect(withConnection(login.replace(PASSWORD, 'other'), () => Promise.resolve())).rejects.toThrow(
        /rejected the password/u,
      );
    });

    test('there is nothing to do a second time, and a dry run rehearses what comes next', async () => {
      const again = await deploy(['--yes'], { ROWHOUSE_LOGIN_PASSWORD: PASSWORD });
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout.split('\n').slice(0, 2)).toEqual([head(), '  nothing to do']);
      writeFiles(folder, { 'migrations/0002_more.sql': 'alter table api.items add name text;' });
      expect(await deploy(['--dry-run'])).toMatchObject({
        code: 0,
        stdout: `${head()}\n  apply the migration 0002_more\nRan 1 migration and rolled everything back.\n`,
      });
      const applied = await deploy(['--yes']);
      expect(applied.stdout).toContain('Not checked as web_login: set ROWHOUSE_LOGIN_PASSWORD here');
      expect(applied.code).toBe(0);
    });

    test('another password is set, and one in a file is read', async () => {
      const secrets = createFolder({ password: 'another-password-of-the-test\n' });
      const { stdout, code } = await deploy(['--yes', '--password-file', path.join(secrets, 'password')]);
      expect(stdout.split('\n').slice(0, 2)).toEqual([head(), '  set the password of web_login']);
      expect(code).toBe(0);
    });
  });
});

test('without a migration it says how to write the first one', async () => {
  const { code, stderr } = await runProgram(['deploy', createFolder({}), 'postgres://nobody@localhost/none']);
  expect(stderr).toContain('`rowhouse diff --write NAME` writes the first migration.');
  expect(code).toBe(2);
});
