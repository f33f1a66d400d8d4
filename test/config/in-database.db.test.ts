import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import type { FunctionReference } from '../../src/config/table/app-config.ts';
import type { InDatabaseSettings } from '../../src/config/resolve/config-sources.ts';
import {
  buildInDatabaseQueries,
  decodeInDatabaseSettings,
  type TextRow,
} from '../../src/config/resolve/in-database.ts';
import {
  buildRoleSettingsQuery,
  decodeRoleSettings,
  type SettingsByRole,
} from '../../src/config/resolve/role-settings.ts';
import { POSTGREST_DIALECT, SVC_DIALECT } from '../../src/contract/dialect.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import { adminUri, connect, createDatabase, runSql, serverVersion } from '../support/database.ts';
import { use, whenOver } from '../support/use.ts';

const GATE = 'config_gate';
const version = await serverVersion();
const ROLES = ['config_plain', 'config_iso', 'config_odd', 'config_stranger'];
whenOver(() => runSql(adminUri(), `drop role ${[...ROLES, GATE].join(', ')}`));
const database = await use(createDatabase());
await runSql(
  database.uri,
  `create role ${GATE} login noinherit;
     create role config_plain; create role config_iso; create role config_odd; create role config_stranger;
     grant config_plain, config_iso, config_odd to ${GATE};
     grant config_stranger to config_plain;
     create schema harbor;
     grant usage on schema harbor to ${GATE};
     grant create on schema public to ${GATE};`,
);
let client: Client = await connectAsGate();
whenOver(() => client.end());

function connectAsGate(): Promise<Client> {
  return connect(Object.assign(new URL(database.uri), { username: GATE }).href);
}

async function run(statement: Statement): Promise<readonly TextRow[]> {
  const query = { text: statement.text, values: [...statement.parameters], rowMode: 'array' as const };
  return (await client.query<(string | null)[]>(query)).rows;
}

async function readSettings(
  preConfig: FunctionReference | undefined,
  dialect = SVC_DIALECT,
): Promise<Record<string, string>> {
  const queries = buildInDatabaseQueries(preConfig, dialect);
  await client.query('begin read only');
  try {
    const role = await run(queries.role);
    let last: readonly TextRow[] = [];
    for (const statement of queries.preConfig) last = await run(statement);
    return toRecord(decodeInDatabaseSettings(role, last));
  } finally {
    await client.query('rollback');
  }
}

async function readRoleSettings(version: number): Promise<SettingsByRole> {
  return decodeRoleSettings(await run(buildRoleSettingsQuery(version, SVC_DIALECT)));
}

function toRecord(settings: InDatabaseSettings): Record<string, string> {
  const stated = [...settings].filter(([, { value, source }]) => source === 'role' || value !== '');
  return Object.fromEntries(stated.map(([name, { value, source }]) => [name, `${source}: ${value}`]));
}

describe('in-database settings', () => {
  test('O39 O40 O41 a role setting for the database overrides one for all, which overrides the function; settings of other databases and of the database itself are ignored', async () => {
    await runSql(
      database.uri,
      `alter role ${GATE} in database ${database.name} set svc.db_max_rows = '5';
       alter role ${GATE} set svc.db_max_rows = '4';
       alter role ${GATE} set svc.db_anon_role = 'of=role';
       alter role ${GATE} set "svc.DB_Plan_Enabled" = 'true';
       alter role ${GATE} set svc.db_tx_end = '';
       alter role ${GATE} set svc.no_such = 'x';
       alter role ${GATE} set svc.db_pool = '3';
       alter role ${GATE} in database postgres set svc.db_root_spec = 'elsewhere';
       alter database ${database.name} set svc.jwt_aud = 'database';
       create function harbor.configure() returns void language sql as $$
         select set_config('svc.db_schemas', 'harbor, archive', true), set_config('svc.db_max_rows', '3', true),
           set_config('svc.db_anon_role', 'x', true), set_config('svc.openapi_mode', '', true)
       $$;`,
    );
    await client.end();
    client = await connectAsGate();
    const ofRole = {
      db_max_rows: 'role: 5',
      db_anon_role: 'role: of=role',
      db_plan_enabled: 'role: true',
      db_tx_end: 'role: ',
    };
    expect(await readSettings(undefined)).toEqual(ofRole);
    const both = { ...ofRole, db_schemas: 'function: harbor, archive' };
    expect(await readSettings({ schema: 'harbor', name: 'configure' })).toEqual(both);
    expect(await readSettings({ schema: 'harbor', name: 'configure' })).toEqual(both);
  });

  test('reads the settings of the dialect', async () => {
    await runSql(
      database.uri,
      `alter role ${GATE} in database ${database.name} set pgrst.db_max_rows = '6';
       create function harbor.tune() returns void language sql as $$
         select set_config('pgrst.db_schemas', 'quay', true), set_config('svc.db_extra_search_path', 'harbor', true)
       $$;`,
    );
    expect(await readSettings({ schema: 'harbor', name: 'tune' }, POSTGREST_DIALECT)).toEqual({
      db_max_rows: 'role: 6',
      db_schemas: 'function: quay',
    });
  });

  test('O42 calls a function named by a reserved word; without a schema, it uses the search path', async () => {
    await client.query(
      `create function public."true"() returns void language sql as $$ select set_config('svc.jwt_aud', 'mine', true) $$`,
    );
    expect(await readSettings({ schema: undefined, name: 'true' })).toMatchObject({ jwt_aud: 'function: mine' });
  });

  test('passes on the database error for a missing function', async () => {
    await expect(readSettings({ schema: undefined, name: 'tune' })).rejects.toThrow('function tune() does not exist');
    await expect(readSettings({ schema: 'a"b', name: 'x; y' })).rejects.toThrow('schema "a"b" does not exist');
  });

  test('runs the function in a read-only transaction', async () => {
    await client.query('create function public.writes() returns void language sql as $$ create table t() $$');
    await expect(readSettings({ schema: undefined, name: 'writes' })).rejects.toThrow('read-only transaction');
  });
});

describe('role settings', () => {
  test('includes settings of directly granted roles that the login role may set', async () => {
    await runSql(
      database.uri,
      `alter role config_plain set statement_timeout = '300ms';
       alter role config_plain set timezone = 'Asia/Tokyo';
       alter role config_plain in database ${database.name} set work_mem = '5MB';
       alter role config_iso set default_transaction_isolation = 'Repeatable Read';
       alter role config_odd set log_min_duration_statement = 4321;
       alter role config_odd set log_min_messages = 'error';
       alter role config_odd set "harbor.unknown" = 'x';
       alter role config_odd set work_mem = '9MB';
       alter role config_stranger set work_mem = '1MB';`,
    );
    const plain = {
      isolation: undefined,
      settings: [
        ['TimeZone', 'Asia/Tokyo'],
        ['statement_timeout', '300ms'],
      ],
    };
    const iso = { isolation: 'repeatable read', settings: [] };
    const expected = new Map<string, unknown>([
      ['config_iso', iso],
      ['config_odd', { isolation: undefined, settings: [['work_mem', '9MB']] }],
      ['config_plain', plain],
    ]);
    expect(await readRoleSettings(140_009)).toEqual(expected);
  });

  test.each(version < 15 ? [140_009] : [140_009, 150_000])(
    'a superuser may assume any role and set everything (version %i)',
    async (serverVersionNumber) => {
      const own = client;
      client = await connect(database.uri);
      const settings = await readRoleSettings(serverVersionNumber);
      await client.end();
      client = own;
      expect(settings.get('config_stranger')).toEqual({ isolation: undefined, settings: [['work_mem', '1MB']] });
      expect(settings.get('config_plain')?.settings.map(([name]) => name)).toEqual(['TimeZone', 'statement_timeout']);
      expect(settings.get('config_odd')?.settings).toEqual([
        ['log_min_duration_statement', '4321'],
        ['log_min_messages', 'error'],
        ['work_mem', '9MB'],
      ]);
    },
  );

  // PostgreSQL 14 has no privileges on parameters.
  test.skipIf(version < 15)('includes parameters that the login role was granted', async () => {
    await runSql(database.uri, `grant set on parameter log_min_messages to ${GATE}`);
    const settings = [
      ['log_min_messages', 'error'],
      ['work_mem', '9MB'],
    ];
    expect((await readRoleSettings(150_000)).get('config_odd')).toEqual({ isolation: undefined, settings });
    await runSql(database.uri, `revoke all on parameter log_min_messages from ${GATE}`);
  });

  test.each([
    ['serializable', 'serializable'],
    ['repeatable read', 'repeatable read'],
    ['read committed', 'read committed'],
    ['read uncommitted', 'read committed'],
  ])('maps the isolation level %s', (value, isolation) => {
    const rows = [['clerk', 'default_transaction_isolation', value]];
    expect(decodeRoleSettings(rows)).toEqual(new Map([['clerk', { isolation, settings: [] }]]));
  });
});
