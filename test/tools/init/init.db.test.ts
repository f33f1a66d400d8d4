// The command `init` as an operator runs it, on test databases.
import { existsSync } from 'node:fs';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { renderReloadTrigger } from '../../../tools/support/reload-trigger.ts';
import { answerQuestions, type InitOptions } from '../../../tools/init/questions.ts';
import { changeUser } from '../../../tools/init/change-user.ts';
import { type Ended, runProgram, spawnServer } from '../../support/spawned-server.ts';
import { adminUri, createDatabase, runRoleSql, runSql } from '../../support/database.ts';
import { findFreePort } from '../../support/server-process.ts';
import { NO_OPTIONS } from './no-options.ts';
import { useFolder } from '../../support/use.ts';

const folder = useFolder();
await writeFile(path.join(folder, 'password'), "it's 100% $secret\n");
const database = await createDatabase();
const { name } = database;
const names: { readonly login: string; readonly anon: string; readonly maker: string; readonly editor: string } = {
  login: `${name}_Gate`,
  anon: `${name}_anon`,
  maker: `${name}_maker`,
  editor: `${name}_editor`,
};

afterAll(async () => {
  await database.drop();
  const { login, anon, maker, editor } = names;
  await runSql(
    adminUri(),
    `drop role if exists "${login}"; drop role if exists "${login}2"; drop role if exists ${anon}`,
  );
  await runSql(adminUri(), `drop role if exists ${anon}2; drop role if exists ${maker}; drop role if exists ${editor}`);
});

function init(...args: readonly string[]): Promise<Ended> {
  return runProgram(['init', ...args], { folder, environment: { DATABASE_URL: '' } });
}

function initHere(...args: readonly string[]): Promise<Ended> {
  const roles = ['--login-role', names.login, '--anon-role', names.anon];
  return init(database.uri, '--schema', 'Shop', '--password-file', 'password', ...roles, ...args);
}

const TRIGGER = `
-- Notifies the server of schema changes. Requires a superuser; everything else works without it.
${renderReloadTrigger('svc').join('\n')}
`;

function renderClosed(schema: string, anonRole: string): string {
  return `Tables that you create in the schema ${schema} are not accessible without a token. Pass --read-future to let ${anonRole} read them.\n`;
}

test('--print only shows the SQL, with quoted names and password', async () => {
  const args = ['--schema', 'a"b', '--login-role', "it's", '--anon-role', "o'Anon", '--password-file', 'password'];
  expect(await init('--print', ...args)).toEqual({
    code: 0,
    stderr: renderClosed('a"b', "o'Anon"),
    stdout: `CREATE ROLE "it's" LOGIN NOINHERIT PASSWORD 'it''s 100% $secret';
DO 'BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = ''o''''Anon'') THEN
    CREATE ROLE "o''Anon" NOLOGIN;
    ALTER ROLE "o''Anon" SET statement_timeout = 5000;
  END IF;
END';
GRANT "o'Anon" TO "it's";
CREATE SCHEMA IF NOT EXISTS "a""b";
GRANT USAGE ON SCHEMA "a""b" TO "o'Anon";
${TRIGGER}`,
  });
});

test('without a terminal, nothing is run unless --yes is given', async () => {
  const shown = await init('postgres://127.0.0.1:1/x');
  expect(shown.code).toBe(0);
  expect(shown.stderr).toMatch(
    /^Could not look for existing tables: .*ECONNREFUSED.*\nTables that you create .*\nNothing was run\. Pass --yes to run it, or --print to only show it\.\n$/u,
  );
  expect(shown.stdout).toMatch(
    /^CREATE ROLE "authenticator" LOGIN NOINHERIT PASSWORD '[\w-]{43}';\nDO 'BEGIN\n.*GRANT "web_anon".* SCHEMA "api" /su,
  );
  expect(existsSync(path.join(folder, 'rowhouse.conf'))).toBe(false);
});

test('--yes sets up a database without doctor errors, and does not overwrite a file', async () => {
  const done = await initHere('--yes', '--editor-role', names.editor);
  expect([done.code, done.stderr]).toEqual([0, renderClosed('Shop', names.anon)]);
  expect(done.stdout).not.toContain('ALTER DEFAULT PRIVILEGES');
  expect(done.stdout.startsWith(`CREATE ROLE "${names.login}" LOGIN NOINHERIT PASSWORD '********';\n`)).toBe(true);
  expect(done.stdout).toMatch(
    /^Wrote .* to rowhouse\.conf\.\n {2}\S.* doctor rowhouse\.conf {3,}checks it\n {2}\S.* dev rowhouse\.conf {3,}opens your data in a browser, as each role sees it\n {2}\S.* token --role \S+_editor rowhouse\.conf {3}prints a token for changes, valid for an hour\n {2}\S.* rowhouse\.conf {3,}starts the server\n$/mu,
  );

  const file = path.join(folder, 'rowhouse.conf');
  const text = await readFile(file, 'utf8');
  const uri = new URL(database.uri);
  expect(text).toMatch(
    new RegExp(
      `^db-uri = "postgres(?:ql)?://${names.login}:it's%20100%25%20%24secret@${uri.host}/${database.name}"
db-schemas = "Shop"
db-anon-role = "${names.anon}"
jwt-secret = "[\\w-]{43}"
openapi-version = "3.1"

# Listen on this machine only\\. .*
server-host = "127\\.0\\.0\\.1"
server-port = 3000

# Serve the explorer, .*
# server-explorer = true\n$`,
      'u',
    ),
  );
  if (process.platform !== 'win32') expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');

  await runSql(
    database.uri,
    `create table "Shop".book (id int primary key); grant select on "Shop".book to ${names.anon}, ${names.editor}`,
  );
  const doctor = await runProgram(['doctor', 'rowhouse.conf', '--json'], { folder });
  expect([doctor.code, doctor.stderr]).toEqual([0, '']);
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    findings: [{ code: 'table-without-row-security', why: expect.stringContaining(names.anon) as string }],
  });

  const again = await initHere('--yes');
  expect([again.code, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toBe(
    'rowhouse.conf already exists. Pass --force to overwrite it, or --file to choose another.\n',
  );
  const forced = await initHere('--yes', '--force');
  expect(forced.code).toBe(1);
  expect(forced.stderr).toBe(
    `Nothing was done. The role "${names.login}" already exists. Pass --login-role to choose another name, such as ${names.login}_2, or drop the role.\n`,
  );
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a table that is created after init is refused without a token, and to the editor', async () => {
  await runSql(
    database.uri,
    'create table "Shop".secret_salaries (amount int); insert into "Shop".secret_salaries values (1)',
  );
  const token = await runProgram(['token', '--role', names.editor, 'rowhouse.conf'], { folder });
  const port = await findFreePort();
  const server = spawnServer(['rowhouse.conf', '--server-port', String(port)], { folder });
  await server.logged(/API server listening/u);
  const url = `http://127.0.0.1:${port}/secret_salaries`;
  const answers = [await fetch(url), await fetch(url, { headers: { authorization: `Bearer ${token.stdout.trim()}` } })];
  expect(answers.map(({ status }) => status)).toEqual([401, 403]);
  const codes = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { code: string }).code));
  expect(codes).toEqual(['42501', '42501']);
});

test('a dangling link counts as an existing file', async () => {
  await symlink(path.join(folder, 'elsewhere.conf'), path.join(folder, 'link.conf'));
  const { code, stderr } = await init('postgres://127.0.0.1:1/x', '--yes', '--file', 'link.conf');
  expect([code, stderr]).toEqual([
    1,
    'link.conf already exists. Pass --force to overwrite it, or --file to choose another.\n',
  ]);
});

test('without a superuser, everything except the reload trigger is set up, and a warning is printed', async () => {
  const { maker, anon, login } = names;
  await runRoleSql(
    database.uri,
    `create role ${maker} login createrole; grant create on database ${database.name} to ${maker}`,
  );
  const uri = Object.assign(new URL(database.uri), { username: maker, password: '' }).href;
  const roles = ['--login-role', `${login}2`, '--anon-role', `${anon}2`];
  const done = await init(uri, '--yes', '--schema', 'made', '--file', 'made.conf', ...roles);
  expect(done.code).toBe(0);
  expect(done.stderr).toMatch(
    /^Tables that you create in the schema made .*\nCould not create the reload trigger: (?:permission denied|must be owner) .*\. After each schema change, run NOTIFY svc, 'reload schema'\.\n$/u,
  );
  // The schema is new and empty, and the tables of the other schema are not served.
  const doctor = await runProgram(['doctor', 'made.conf', '--json'], { folder });
  expect([doctor.code, doctor.stderr]).toEqual([1, '']);
  expect(JSON.parse(doctor.stdout)).toMatchObject({ findings: [{ code: 'nothing-to-serve' }] });
});

test.each([
  [['--yes'], 'Specify the database: postgres://user@host/name, with a user who can create roles.'],
  [['--yes', 'host=localhost'], 'Specify the database as a URI with one host: postgres://user@host/name.'],
  [['--print', '--password-file', 'none'], "ENOENT: no such file or directory, open 'none'"],
  [['--print', '--yes'], 'Specify only one of --yes, --print'],
  [['--schema', 'a,b'], '--schema requires one name, without a comma'],
  [['--edit-future'], '--edit-future requires --editor-role'],
])('%j is refused', async (args, message) => {
  const { code, stdout, stderr } = await init('--file', 'refused.conf', ...args);
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([1, '', message]);
});

const OPTIONS_OF_SHOP: InitOptions = { ...NO_OPTIONS, schema: 'shop' };

interface Questions {
  readonly asked: readonly string[];
  readonly answers: Awaited<ReturnType<typeof answerQuestions>>;
}

/** Connects to nothing: the cluster has the roles that `shop` left there, and the folder a file. */
async function answer(options: InitOptions, ...replies: readonly string[]): Promise<Questions> {
  const asked: string[] = [];
  const answers = await answerQuestions(options, (question) => Promise.resolve(replies[asked.push(question) - 1]), {
    listRoles: (uri) =>
      Promise.resolve(
        uri.includes('refused')
          ? { ok: false, error: 'connect ECONNREFUSED' }
          : { ok: true, value: new Set(['web_anon', 'authenticator', 'authenticator_2', 'guest']) },
      ),
    findSetup: (uri) =>
      Promise.resolve(
        uri.endsWith('/set_up') ? { loginRole: 'authenticator', roles: ['web_anon', 'web_editor'] } : undefined,
      ),
    isTaken: (file) => file === 'rowhouse.conf',
  });
  return { asked, answers };
}

test('on a terminal, missing options are asked for; an empty answer selects a name that is free', async () => {
  const { asked, answers } = await answer(OPTIONS_OF_SHOP, 'postgres://h/d', '', ' gate ', '');
  expect(asked).toEqual([
    'Database URI, with a user who can create roles (postgres://user@host/name): ',
    'Role of requests without a token [web_anon_2]: ',
    'New login role for the server [authenticator_3]: ',
    'Configuration file to write [rowhouse_2.conf]: ',
  ]);
  expect(answers).toMatchObject({
    ok: true,
    value: { anonRole: 'web_anon_2', loginRole: 'gate', file: 'rowhouse_2.conf', uri: 'postgres://h/d' },
  });
  expect((await answer(OPTIONS_OF_SHOP)).answers).toEqual({ ok: false, error: '\nNothing was done.' });
});

test('on a terminal, an answer that cannot be meant or is taken is asked for again, with what is accepted', async () => {
  const { asked, answers } = await answer(
    OPTIONS_OF_SHOP,
    // URIs, roles of requests, login roles, files.
    '?',
    'postgres://refused/d',
    'postgres://h/d',
    '?',
    'pg_mine',
    'public',
    'y',
    'guest',
    'authenticator',
    'guest',
    'gate',
    '?',
    'rowhouse.conf',
    'x.conf',
  );
  expect(answers).toMatchObject({ ok: true, value: { anonRole: 'guest', loginRole: 'gate', file: 'x.conf' } });
  expect(asked.map((question) => question.split('\n')[0])).toEqual([
    'Database URI, with a user who can create roles (postgres://user@host/name): ',
    'Enter a URI with one host, such as postgres://user@host/name.',
    'connect ECONNREFUSED',
    'Role of requests without a token [web_anon_2]: ',
    'Enter a name of letters, digits, _ and -, such as web_anon_2. Enter alone takes that one.',
    'PostgreSQL reserves names that begin with pg_. Enter another one.',
    'PostgreSQL reserves the name public. Enter another one.',
    'Enter the name of a role, such as web_anon_2. Enter alone takes that one.',
    'New login role for the server [authenticator_3]: ',
    'The role authenticator already exists. Enter another name. Enter alone takes authenticator_3.',
    'The role guest already exists. Enter another name. Enter alone takes authenticator_3.',
    'Configuration file to write [rowhouse_2.conf]: ',
    'Enter the path of a file, such as rowhouse_2.conf. Enter alone takes that one.',
    'rowhouse.conf already exists. Enter another name. Enter alone takes rowhouse_2.conf.',
  ]);
});

test('on a terminal, the roles of an earlier setup are offered before new names', async () => {
  const extended = await answer(OPTIONS_OF_SHOP, 'postgres://h/set_up', '', '');
  expect(extended.asked.slice(1)).toEqual([
    'This database is set up already, with the login role authenticator and web_anon, web_editor.\nExtend the access of these roles to more tables, or create a new setup: extend or new [extend]: ',
    'Role of requests without a token: web_anon, web_editor [web_anon]: ',
  ]);
  expect(extended.answers).toMatchObject({
    ok: true,
    value: { anonRole: 'web_anon', loginRole: 'authenticator', extended: ['web_editor'] },
  });
  const fresh = await answer(OPTIONS_OF_SHOP, 'postgres://h/set_up', 'new', '', '', '');
  expect(fresh.answers).toMatchObject({ ok: true, value: { loginRole: 'authenticator_3' } });
  expect(fresh.answers.ok && fresh.answers.value.extended).toBeUndefined();
  expect((await answer(OPTIONS_OF_SHOP, 'postgres://h/set_up', 'extend')).answers.ok).toBe(false);
  const named = await answer({ ...OPTIONS_OF_SHOP, loginRole: 'gate' }, 'postgres://h/set_up', '', '');
  expect(named.asked.join()).not.toContain('set up already');
});

test.each<readonly [Partial<InitOptions>, string]>([
  [
    { file: 'rowhouse.conf' },
    'rowhouse.conf already exists. Pass --force to overwrite it, or --file to choose another.',
  ],
  [{ uri: 'postgres://refused/d' }, 'Nothing was done. connect ECONNREFUSED'],
  [
    { uri: 'postgres://h/d', loginRole: 'guest' },
    'Nothing was done. The role "guest" already exists. Pass --login-role to choose another name, such as guest_2, or drop the role.',
  ],
])('%j is refused before the first question', async (given, error) => {
  const { asked, answers } = await answer({ ...OPTIONS_OF_SHOP, ...given });
  expect([asked, answers]).toEqual([[], { ok: false, error }]);
});

test.each([
  ['postgres://boss:x@h:5433/d?sslmode=require', 'postgres://g%40te:p%3A%2F@h:5433/d?sslmode=require'],
  ['postgresql:///d?host=/run', 'postgresql:///d?host=/run&user=g%40te&password=p%3A%2F'],
  ['postgres:///d', 'postgres:///d?user=g%40te&password=p%3A%2F'],
  ['mysql://h/d', undefined],
  ['host=h', undefined],
])('the login role replaces the user of %s', (uri, expected) => {
  expect(changeUser(uri, 'g@te', 'p:/')).toBe(expected);
});
