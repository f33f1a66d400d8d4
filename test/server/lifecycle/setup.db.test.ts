// Setup problems are reported at startup, and problems that no retry can fix are logged once.
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type Options, useServers } from '../../support/local-server.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

const GAP =
  /^(?:Requests without a token fail|No request can be served|Every request fails|The root path|The schema )/u;

async function gapsOf(options: Options): Promise<readonly string[]> {
  return (await start({ 'db-channel-enabled': false, ...options })).err.filter((line) => GAP.test(line));
}

test('a complete setup logs nothing, whether or not functions are named with their schema', async () => {
  await harbor.sql(
    `create function public.setup_check(note text default '') returns void language sql as ''; create function api.setup_root() returns json language sql as 'select null::json'`,
  );
  for (const name of ['public.setup_check', 'setup_check'])
    expect(await gapsOf({ 'db-pre-request': name, 'db-root-spec': 'api.setup_root' })).toEqual([]);
});

test('a missing or ungranted anonymous role is logged at startup with the SQL that fixes it', async () => {
  expect(await gapsOf({ 'db-anon-role': 'setup_nobody' })).toEqual([
    'Requests without a token fail: the role setup_nobody of db-anon-role does not exist. ' +
      `CREATE ROLE "setup_nobody" NOLOGIN; GRANT "setup_nobody" TO "${harbor.login}";`,
  ]);
  expect(await gapsOf({ 'db-anon-role': 'postgres' })).toEqual([
    `Requests without a token fail: the login role ${harbor.login} cannot switch to the role postgres of ` +
      `db-anon-role. GRANT "postgres" TO "${harbor.login}";`,
  ]);
});

test('missing authentication, missing functions and empty schemas are logged at every log level', async () => {
  await harbor.sql(
    'create schema setup_blank; create function public.needs_one(note text) returns void language sql as $$$$',
  );
  const gaps = await gapsOf({
    'db-anon-role': null,
    'jwt-secret': null,
    'db-pre-request': 'public.needs_one',
    'db-root-spec': 'setup_start',
    'db-schemas': 'api,setup_blank',
    'log-level': 'crit',
  });
  expect(gaps.map((line) => GAP.exec(line)?.[0])).toEqual([
    'No request can be served',
    'Every request fails',
    'The root path',
    'The schema ',
  ]);
});

test('a fixed problem is not logged again, a new one is', async () => {
  await harbor.sql('drop schema if exists setup_blank cascade; create schema setup_blank');
  const server = await start({ 'db-schemas': 'api,setup_blank' });
  await server.reload();
  expect(server.count(/^The schema setup_blank/u)).toBe(1);
  await harbor.sql('create table setup_blank.notes (id int)');
  await server.reload();
  await harbor.sql('drop table setup_blank.notes');
  await server.reload();
  expect(server.count(/^The schema setup_blank/u)).toBe(2);
});

test('O173 retries with the same cause log it once, and each pause', async () => {
  const server = await start({ 'db-schemas': 'setup_nowhere', 'db-channel-enabled': false }, { isAwaited: false });
  await server.logged(/^Attempting to reconnect to the database in 4 seconds\.\.\.$/u);
  expect(server.count(/^Failed to load the schema cache/u)).toBe(1);
  expect(server.err.filter((line) => line.startsWith('No retry mends this'))).toEqual([
    'No retry mends this: the schema setup_nowhere does not exist. CREATE SCHEMA "setup_nowhere"; or correct db-schemas',
  ]);
  void server.server.service.reloadSchemaCache();
  await server.logged(/^Failed to load the schema cache/u, 2);
});

test('a retry logs neither the configuration reload nor the same failure twice', async () => {
  const server = await start(
    {
      'db-schemas': 'setup_nowhere',
      'db-channel-enabled': false,
      'db-config': true,
      'db-pre-config': 'setup_nowhere.read',
      'jwt-role-claim-key': '.duty',
    },
    { isAwaited: false },
  );
  await server.logged(/^Attempting to reconnect to the database in 4 seconds\.\.\.$/u);
  for (const line of [/^Config reloaded$/u, /^Failed to query database settings/u, /deprecated JSPath syntax/u])
    expect([line, server.count(line)]).toEqual([line, 1]);
  await server.server.service.reloadConfig();
  for (const line of [/^Config reloaded$/u, /^Failed to query database settings/u, /deprecated JSPath syntax/u])
    expect([line, server.count(line)]).toEqual([line, 2]);
});

test('O177 a database that does not exist is reported as such', async () => {
  const uri = harbor.uri.replace(/[^/]+$/u, 'setup_nowhere');
  const server = await start({ 'db-uri': uri }, { isAwaited: false });
  await server.logged(/^Attempting to reconnect to the database in 2 seconds\.\.\.$/u);
  expect(server.count(/^Failed to query the PostgreSQL version/u)).toBe(1);
  expect(server.count(/^Failed listening/u)).toBe(1);
  expect(server.err).toContain(
    'No retry mends this: the database setup_nowhere does not exist. CREATE DATABASE "setup_nowhere"; or correct db-uri',
  );
});

test('a server without TLS is reported as such', async () => {
  const server = await start({ 'db-uri': `${harbor.uri}?sslmode=require`, 'db-channel-enabled': false });
  expect(server.err).toContain(
    'No retry mends this: sslmode requires TLS, but the server does not support it. Set ssl = on in postgresql.conf, or sslmode=prefer in db-uri',
  );
});

test('a missing certificate file stops the start', async () => {
  const server = await start({ 'db-uri': `${harbor.uri}?sslmode=verify-full&sslrootcert=/setup/none.crt` });
  expect(server.fatal).toBe(
    'Cannot connect to the database: cannot read a file named by sslrootcert, sslcert, sslkey or sslcrl: ' +
      "ENOENT: no such file or directory, open '/setup/none.crt'. Check db-uri and PG* variables.",
  );
});

test('an invalid value on a reload changes nothing and is logged', async () => {
  const server = await start({}, { file: 'db-max-rows = 1' });
  await server.reconfigure('db-max-rows = 2\ndb-pool = "ten"\ndb-pol = 3');
  expect(server.err.at(-1)).toBe(
    'Failed reloading config: Error in config db-pol in the configuration file is no option; did you mean db-pool? ' +
      'Error in config db-pool: "ten" in the configuration file, where a whole number of at least 1 is allowed',
  );
  expect(await server.json('/berth')).toHaveLength(1);
});

test('options that the postgrest dialect ignores are logged at startup', async () => {
  const server = await start({}, { file: 'dialect = "postgrest"\ndb-pol = 3' });
  expect(server.err).toContain('Ignored: db-pol in the configuration file is no option; did you mean db-pool?');
});
