// Introduces one problem at a time into a healthy database. The doctor reports each one, and its SQL fixes it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LINTS } from '../../../tools/check/lints/all.ts';
import { runProgram } from '../../support/spawned-server.ts';
import { serverVersion } from '../../support/database.ts';
import { createPatient, diagnose, type Roles, runDoctor } from './patient.ts';
import { use, useFolder } from '../../support/use.ts';

const patient = await use(createPatient());
const version = await serverVersion();

interface Case {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly object: string | ((roles: Roles) => string);
  readonly damage: (roles: Roles) => string;
}

const CASES: readonly Case[] = [
  {
    code: 'role-without-access',
    severity: 'warning',
    object: ({ user }) => user,
    damage: ({ user }) => `revoke all on schema api from ${user}`,
  },
  {
    code: 'login-superuser',
    severity: 'error',
    object: ({ login }) => login,
    damage: ({ login }) => `alter role ${login} superuser`,
  },
  {
    code: 'role-superuser',
    severity: 'error',
    object: ({ user }) => user,
    damage: ({ user }) => `alter role ${user} superuser`,
  },
  {
    code: 'login-bypasses-row-security',
    severity: 'error',
    object: ({ login }) => login,
    damage: ({ login }) => `alter role ${login} bypassrls`,
  },
  {
    code: 'login-inherits',
    severity: 'warning',
    object: ({ login }) => login,
    damage: ({ login, user }) =>
      version >= 16 ? `grant ${user} to ${login} with inherit true` : `alter role ${login} inherit`,
  },
  {
    code: 'rls-off',
    severity: 'warning',
    object: 'api.draft',
    damage: ({ anon }) =>
      `create table api.draft (id int primary key); create policy one on api.draft using (id = 1); grant insert (id) on api.draft to ${anon}`,
  },
  {
    code: 'rls-off',
    severity: 'warning',
    object: 'api."Draft"',
    damage: ({
      user,
    }) => `create table api."Draft" (id int primary key); create policy one on api."Draft" using (id = 1);
      grant delete on api."Draft" to ${user}`,
  },
  {
    code: 'table-without-row-security',
    severity: 'info',
    object: 'api.street',
    damage: ({ anon }) => `create table api.street (id int primary key); create policy one on api.street using (id = 1);
      grant select on api.street to ${anon}`,
  },
  {
    code: 'table-without-grants',
    severity: 'warning',
    object: 'api."Nobody"',
    damage: () => 'create view api."Nobody" as select 1 as id',
  },
  {
    code: 'definer-search-path',
    severity: 'warning',
    object: 'api.peek(integer)',
    damage: ({ user }) => `create function api.peek(number int) returns int language sql security definer as 'select 1';
      revoke execute on function api.peek from public; grant execute on function api.peek to ${user}`,
  },
  {
    code: 'role-without-statement-timeout',
    severity: 'warning',
    object: ({ user }) => user,
    damage: ({ user }) => `alter role ${user} reset statement_timeout`,
  },
  {
    code: 'foreign-key-without-index',
    severity: 'info',
    object: 'api.reply',
    damage: ({ user }) => `create table api.reply (id int primary key, note_id int references api.note);
      alter table api.reply enable row level security; create policy one on api.reply using (id = 1); grant select on api.reply to ${user};
      create index on api.reply (note_id) where id > 7`,
  },
  {
    code: 'policy-column-without-index',
    severity: 'warning',
    object: 'api.note (tenant)',
    damage: () =>
      `alter table api.note add tenant int; create policy by_tenant on api.note as restrictive using (tenant = 1)`,
  },
  {
    code: 'view-bypasses-policies',
    severity: 'warning',
    object: 'api.board',
    damage: ({ user }) => `create view api.board as select id from api.note; grant select on api.board to ${user}`,
  },
  {
    code: 'no-reload-trigger',
    severity: 'info',
    object: 'svc',
    damage: () => 'drop event trigger rowhouse_change; drop event trigger rowhouse_drop',
  },
];

const TAKES_RIGHTS = 'an operator or another program may log in as this role, and would lose rights.';
/** Where the fix takes or gives more than the finding needs, a person is told. */
const CAUTIONS: Readonly<Record<string, string>> = {
  'role-without-access': 'it lets the role read every table, also those that are private.',
  'table-without-grants': 'it opens the table to clients, which may not be intended.',
  'login-superuser': TAKES_RIGHTS,
  'role-superuser': TAKES_RIGHTS,
  'login-bypasses-row-security': TAKES_RIGHTS,
  'login-inherits': TAKES_RIGHTS,
};

const EXIT_CODES = { error: 2, warning: 1, info: 0 };

test('reports nothing for a healthy database', async () => {
  expect(await diagnose(patient)).toEqual({ code: 0, findings: [] });
  expect(await runDoctor(patient, [])).toEqual({ code: 0, stdout: 'Nothing found.\n', stderr: '' });
});

test.each(CASES)('$severity $code is reported, and its SQL fixes it', async ({ code, severity, object, damage }) => {
  await patient.sql(damage(patient));
  const found = await diagnose(patient);
  const name = typeof object === 'string' ? object : object(patient);
  const [why, mend] = [expect.stringMatching(/^[A-Z].*\.$/u) as string, expect.any(String) as string];
  const withCaution = CAUTIONS[code] === undefined ? {} : { caution: CAUTIONS[code] };
  expect(found).toEqual({
    code: EXIT_CODES[severity],
    findings: [{ severity, code, object: name, why, mend, ...withCaution }],
  });
  await patient.sql(found.findings[0]?.mend ?? '');
  expect(await diagnose(patient)).toEqual({ code: 0, findings: [] });
});

test('reports a schema without routes if another one has tables', async () => {
  const { stdout, code } = await runDoctor(patient, ['--json'], { options: { 'db-schemas': 'rowhouse' } });
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    {
      findings: [
        {
          severity: 'warning',
          code: 'nothing-to-serve',
          object: 'db-schemas (rowhouse)',
          why: 'The API has no routes, but the schema api has tables.',
          mend: '-- Set db-schemas to api, or create views and functions in rowhouse.',
        },
      ],
    },
  ]);
});

test('reports nothing for an empty database or for a superuser that serves it', async () => {
  const empty = await createPatient(
    ({ login, anon, user }) => `create role ${login} login noinherit; create role ${anon}; create role ${user};
      alter role ${anon} set statement_timeout = '5s'; grant ${anon} to ${login}; create schema api`,
  );
  const codes = async (): Promise<readonly string[]> => (await diagnose(empty)).findings.map(({ code }) => code);
  expect(await codes()).toEqual(['no-reload-trigger']);
  await empty.sql(`create table api.note (id int primary key); alter role ${empty.anon} superuser`);
  expect(await codes()).toEqual(['role-superuser', 'no-reload-trigger']);
  await empty.drop();
});

test('findings that differ only in their object share their explanation', async () => {
  const { anon } = patient;
  await patient.sql(`create table api.a (id int primary key); create table api.b (id int primary key);
    grant select on api.a, api.b to ${anon}`);
  const { stdout } = await runDoctor(patient, ['--verbose']);
  await patient.sql('drop table api.a, api.b');
  expect(stdout).toContain(`NOTE table-without-row-security: 2 findings
  The table has no row-level security, so ${anon} can read every row.

  api.a
      ALTER TABLE api.a ENABLE ROW LEVEL SECURITY;

  api.b
      ALTER TABLE api.b ENABLE ROW LEVEL SECURITY;

      -- Then CREATE POLICY for the rows that each role may see and write; without a policy it sees none.

0 errors, 0 warnings, 2 notes. What each one means: `);
});

test('the allowances of a project in the current folder apply', async () => {
  const folder = useFolder();
  await mkdir(path.join(folder, 'schema'));
  const table = 'create table api.wall (id int primary key)';
  await writeFile(path.join(folder, 'schema/api.sql'), `-- rowhouse: allow rls-off everybody may draw\n${table};\n`);
  await patient.sql(`${table}; grant insert on api.wall to ${patient.user}`);
  const [elsewhere, there] = [await runDoctor(patient, []), await runDoctor(patient, [], { folder })];
  await patient.sql('drop table api.wall');
  expect([elsewhere.code, there]).toEqual([1, { code: 0, stdout: 'Nothing found.\n', stderr: '' }]);
});

test('says that a configuration file in the folder was not read', async () => {
  const folder = useFolder();
  await writeFile(path.join(folder, 'rowhouse.conf'), 'db-schemas = "other"');
  const { stderr } = await runDoctor(patient, [], { folder });
  expect(stderr).toMatch(/^Note: rowhouse\.conf was not read\. To check it, run .+ doctor rowhouse\.conf\n$/u);
  expect((await runDoctor(patient, ['rowhouse.conf'], { folder })).stderr).toBe('');
});

test('escapes control characters in names', async () => {
  const table = 'api."\u001B]0;title\u0007"';
  await patient.sql(`create table ${table} (id int primary key); grant select on ${table} to ${patient.anon}`);
  const { stdout } = await runDoctor(patient, ['--verbose']);
  expect(stdout).toContain(String.raw`ALTER TABLE api.U&"\001B]0;title\0007" ENABLE ROW LEVEL SECURITY;`);
  await patient.sql(`drop table ${table}`);
});

test('reports a view on another view where the lower one reads as its owner', async () => {
  const { user } = patient;
  await patient.sql(`create schema hidden; create view hidden.inner_board as select id from api.note;
    create view api.outer_board as select id from hidden.inner_board; grant select on api.outer_board to ${user}`);
  const { findings } = await diagnose(patient);
  await patient.sql('drop schema hidden cascade');
  expect(findings).toEqual([
    {
      severity: 'warning',
      code: 'view-bypasses-policies',
      object: 'api.outer_board',
      why: `The view reads api.note through hidden.inner_board, as the owner of that, so that the policies do not restrict the role. If it is meant to show their rows, write -- rowhouse: allow view-bypasses-policies REASON above its statement. Not proved: no policy ties its rows to a claim. Role: ${user}.`,
      mend: 'ALTER VIEW hidden.inner_board SET (security_invoker = true);',
    },
  ]);
});

const MESSY = ({ anon, user }: Roles): string => `
  create table api.a (id int primary key); grant insert on api.a to ${anon};
  create table api.b (id int primary key, note int references api.note, other int references api.a);
  grant select, update on api.b to ${anon}, ${user};
  create view api.c as select id from api.note; grant select on api.c to ${anon};
  create view api.d as select id from api.b; grant select on api.d to ${anon};
  create schema hidden; create view hidden.low as select id from api.note;
  create view api.e as select id from hidden.low; grant select on api.e to ${anon};
  create function api.f() returns int language sql security definer as 'select 1';
  create function api.g() returns trigger language plpgsql security definer as 'begin return new; end';
  create function hidden.h() returns int language sql security definer as 'select 1';`;

test('P43 what check reports too has the same level there, and nothing is reported only by one', async () => {
  await patient.sql(MESSY(patient));
  const { findings } = await diagnose(patient);
  const { stdout } = await runProgram(['check', patient.uri, '--json'], {
    options: { 'db-schemas': 'api', 'db-anon-role': patient.anon },
  });
  await patient.sql(
    'drop schema hidden cascade; drop view api.c, api.d; drop table api.b, api.a; drop function api.f(), api.g()',
  );
  const checked = JSON.parse(stdout) as { readonly findings: readonly Record<string, string>[] };
  const shared = new Set(LINTS.map(({ name }) => name));
  const levels = { error: 'error', warning: 'warning', info: 'note' } as const;
  const ofDoctor = findings
    .filter(({ code }) => shared.has(code))
    .map(({ code, object, severity }) => `${levels[severity]} ${code} ${object}`);
  const ofCheck = checked.findings
    .filter(({ lint }) => shared.has(lint ?? ''))
    .map(({ lint, level, object }) => `${level} ${lint} ${object}`);
  expect([...new Set(ofDoctor)].sort()).toEqual([...new Set(ofCheck)].sort());
  expect([...new Set(ofDoctor)].sort()).toEqual([
    'note foreign-key-without-index api.b',
    'warning definer-executable-by-anyone api.f()',
    'warning definer-executable-by-anyone hidden.h()',
    'warning definer-search-path api.f()',
    'warning rls-off api.a',
    'warning rls-off api.b',
    'warning view-bypasses-policies api.c',
    'warning view-bypasses-policies api.e',
  ]);
});

test('prints a heading, a sentence and the SQL of each finding, most severe first, then the counts', async () => {
  await patient.sql(`alter role ${patient.login} bypassrls; alter role ${patient.user} reset statement_timeout`);
  const { code, stdout } = await runDoctor(patient, []);
  await patient.sql(`alter role ${patient.login} nobypassrls; alter role ${patient.user} set statement_timeout = '5s'`);
  expect(code).toBe(2);
  expect(stdout).toContain(`ERROR login-bypasses-row-security: ${patient.login}
  Policies do not apply to the role that the server logs in as, and a token may name that role.
    ALTER ROLE ${patient.login} NOBYPASSRLS;

WARNING role-without-statement-timeout: ${patient.user}
  No timeout ends long statements of this role, and a few of them can occupy every connection.
    ALTER ROLE ${patient.user} SET statement_timeout = '5s';

1 error, 1 warning, 0 notes. What each one means: `);
});

test('fails if the database cannot be reached', async () => {
  const { code, stdout, stderr } = await runDoctor({ ...patient, uri: 'postgres://127.0.0.1:1/x' }, ['--json']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Database connection error: .*ECONNREFUSED.*\n$/u);
});

test('reports nothing for the demo but what its policies could do faster', async () => {
  const sql = await readFile(new URL('../../../tools/demo/demo.sql', import.meta.url), 'utf8');
  const demo = await createPatient(({ login, anon, user }) =>
    sql
      .replaceAll(/\bauthenticator\b/gu, login)
      .replaceAll('demo_anon', anon)
      .replaceAll('demo_user', user),
  );
  const diagnosis = await diagnose(demo);
  await demo.drop();
  expect(diagnosis.findings.map(({ severity, code, object }) => [severity, code, object].join(' '))).toEqual([
    'warning policy-per-row api.loans',
    'warning policy-per-row api.loans',
    'warning policy-per-row api.loans',
    'warning policy-per-row api.notes',
    'info policies-overlap api.notes',
  ]);
});
