// The program as operators run it: commands, output streams, exit codes and signals.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from '../support/server-process.ts';
import { useHarbor } from '../support/harbor.ts';
import { bearer, type Options, post, SECRET, sendRequest } from '../support/local-server.ts';
import { runProgram, type Spawned, spawnServer, type SpawnOptions } from '../support/spawned-server.ts';
import { until } from '../support/until.ts';
import { useFolder } from '../support/use.ts';

/** A role that cannot log in, even if this machine has a database at the default address. */
const NO_DATABASE = { DATABASE_URL: '', PGUSER: 'nobody_here' };
const UNREACHABLE = 'postgresql://127.0.0.1:1/nowhere';

const harbor = await useHarbor();
const folder = useFolder();

afterEach(async () => {
  await harbor.sql(`alter role ${harbor.login} reset all`);
});

function serviceOptions(more: Options = {}): Options {
  return {
    'db-uri': harbor.uri,
    'db-schemas': 'api',
    'db-anon-role': harbor.anon,
    'db-config': false,
    'jwt-secret': SECRET,
    'server-host': '127.0.0.1',
    ...more,
  };
}

async function serve(more: Options = {}, spawnOptions: SpawnOptions = {}): Promise<{ process: Spawned; port: number }> {
  const port = await findFreePort();
  const process = spawnServer([], { ...spawnOptions, options: serviceOptions({ 'server-port': port, ...more }) });
  await process.logged(/API server listening on/u);
  return { process, port };
}

test.each([
  [['--help'], /^Usage: rowhouse .*create a REST API to an existing Postgres database/su],
  [['-v'], /^rowhouse \d+\.\d+\n$/u],
  [['--example'], /^# .*db-uri/msu],
])('O50 O51 O52 %j prints and exits with 0, even with an invalid configuration', async (args, text) => {
  const { code, stdout, stderr } = await runProgram(args, { options: { 'db-tx-end': 'nonsense' } });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(text);
});

test('help has no colors unless the output is a terminal', async () => {
  const { stdout } = await runProgram(['--help'], { environment: { TERM: 'xterm-256color' } });
  expect(stdout.includes('\u001B')).toBe(false);
});

test('O1 options come from the database, then from flags, then from the environment, then from the file', async () => {
  const file = path.join(folder, 'sources.conf');
  await writeFile(
    file,
    'db-max-rows = 1\ndb-pool = 1\nlog-level = "crit"\nserver-port = 4001\napp.settings.a = "file"\napp.settings.b = "file"\n',
  );
  await harbor.sql(`alter role ${harbor.login} set svc.db_max_rows = '4'`);
  const flags = ['--db-max-rows=3', '--db-pool', '3', '--log-level=warn', '--app.settings.A=flag', '--db-plan-enabled'];
  const { code, stdout } = await runProgram(['--dump-config', file, harbor.uri, ...flags], {
    options: { 'db-max-rows': 2, 'db-pool': 2, 'server-port': 4002 },
    environment: { SVC_APP_SETTINGS_a: 'environment', SVC_APP_SETTINGS_b: 'environment' },
  });
  expect(code).toBe(0);
  const lines = stdout
    .split('\n')
    .filter((line) => /^(?:app|db-max-rows|db-pool |db-plan|log-level|server-port)/u.test(line));
  expect(lines).toEqual([
    'app.settings.A = "flag"',
    'app.settings.a = "file"',
    'app.settings.b = "environment"',
    'db-max-rows = 4',
    'db-plan-enabled = true',
    'db-pool = 3',
    'log-level = "warn"',
    'server-port = 4002',
  ]);
});

test('O52 the example is a valid configuration file', async () => {
  const { stdout } = await runProgram(['--example']);
  const file = path.join(folder, 'example.conf');
  await writeFile(file, stdout.replace(/^db-config.*$/mu, 'db-config = false'));
  expect((await runProgram(['--dump-config', file])).code).toBe(0);
});

test.each([
  ['a variable', [], { SVC_DIALECT: 'postgrest' }],
  ['a variable of PostgREST', [], { PGRST_DIALECT: 'postgrest' }],
  ['a file', ['foreign.conf'], {}],
  ['a flag', ['--dialect', 'postgrest'], { SVC_DIALECT: 'svc' }],
])('examples and schema follow the dialect of %s', async (_, args, environment) => {
  await writeFile(path.join(folder, 'foreign.conf'), 'dialect = "postgrest"\n');
  const show = async (flag: string): Promise<string> =>
    (await runProgram([flag, ...args], { folder, environment })).stdout;
  expect(await show('--example')).toMatch(/^db-channel = "pgrst"$/mu);
  expect(await show('--example-env')).toMatch(/^PGRST_DB_CHANNEL=pgrst$/mu);
  expect(await show('--example-db')).toMatch(/^ALTER ROLE authenticator SET pgrst\.db_schemas = /mu);
  expect(await show('--config-schema')).toContain('"PGRST_DB_CHANNEL"');
});

test('the help on options names the variables of the dialect', async () => {
  const show = async (dialect: string): Promise<string> =>
    (await runProgram(['help', 'options'], { folder, environment: { SVC_DIALECT: dialect } })).stdout;
  expect(await show('svc')).toContain('SVC_DB_SCHEMAS');
  expect(await show('postgrest')).toContain('PGRST_DB_SCHEMAS');
});

test('an example needs a readable dialect, help does not', async () => {
  const environment = { SVC_DIALECT: 'sql' };
  const example = await runProgram(['--example'], { environment });
  expect([example.code, example.stdout]).toEqual([1, '']);
  expect(example.stderr).toContain('Allowed for dialect, not "sql": svc, postgrest.');
  expect(await runProgram(['--help'], { environment })).toMatchObject({ code: 0, stderr: '' });
});

test.each([[['--no-such-option']], [['--dump-config', '--ready']], [['a.conf', 'b.conf']]])(
  'O60 %j is rejected with the usage',
  async (args) => {
    const { code, stdout, stderr } = await runProgram(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Usage: rowhouse /mu);
  },
);

test('O53 O62 --dump-config needs no database without db-config', async () => {
  const { code, stdout, stderr } = await runProgram(['--dump-config'], {
    options: { 'db-config': false, 'db-uri': UNREACHABLE },
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^db-uri = "postgresql:\/\/127\.0\.0\.1:1\/nowhere"$/mu);
});

test('O54 --dump-config includes in-database settings', async () => {
  await harbor.sql(`alter role ${harbor.login} set svc.db_max_rows = '77'`);
  const { code, stdout } = await runProgram(['--dump-config'], { options: serviceOptions({ 'db-config': true }) });
  expect([code, /^db-max-rows = .*$/mu.exec(stdout)?.[0]]).toEqual([0, 'db-max-rows = 77']);
});

test('O55 --dump-config dumps the other sources if the database is unreachable', async () => {
  const { code, stdout, stderr } = await runProgram(['--dump-config'], {
    options: { 'db-uri': UNREACHABLE, 'db-max-rows': 5 },
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^db-max-rows = 5$/mu);
  expect(stderr).toMatch(/: Failed to query database settings for the config parameters\.\{"code":"SVC000"/u);
});

test('--dump-config rejects an invalid in-database value', async () => {
  await harbor.sql(`alter role ${harbor.login} set svc.db_tx_end = 'never'`);
  const { code, stdout, stderr } = await runProgram(['--dump-config'], {
    options: serviceOptions({ 'db-config': true }),
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Invalid transaction termination. Check your configuration.');
});

test('O13 O25 O37 an invalid configuration is rejected at the start, on stderr', async () => {
  const [missing, short] = await Promise.all([
    runProgram(['no-such.conf'], { folder }),
    runProgram([], { options: { 'jwt-secret': 'short' } }),
  ]);
  expect([missing.code, missing.stdout, missing.stderr]).toEqual([
    1,
    '',
    'Error in config no-such.conf: openFile: does not exist (No such file or directory)\n',
  ]);
  expect([short.code, short.stderr]).toEqual([1, 'The JWT secret must be at least 32 characters long.\n']);
});

test.each([
  ['mysql://127.0.0.1/shop', 'a connection URI begins with postgres://, not with mysql://'],
  ['postgresql://127.0.0.1/shop?sslmod=require', 'invalid connection option "sslmod"'],
])('an invalid connection string ends the process: %s', async (uri, fault) => {
  const { code, stderr } = await runProgram([], { options: serviceOptions({ 'db-uri': uri, 'server-port': 0 }) });
  expect(code).toBe(1);
  expect(stderr).toMatch(/: Cannot connect to the database: .*\. Check db-uri and PG\* variables\.\n$/u);
  expect(stderr).toContain(fault);
  expect(stderr).not.toContain('Attempting to reconnect');
});

test('without db-uri and a default database, the process ends with one sentence', async () => {
  const { code, stdout, stderr } = await runProgram([], { environment: NO_DATABASE, options: { 'server-port': 0 } });
  expect([code, stdout]).toEqual([1, '']);
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^.* [+-]\d{4}: /u, '')),
  ).toEqual([expect.stringMatching(/^Starting rowhouse /u), 'db-uri is not set; `rowhouse --demo` to look around']);
});

test('a database named by PG variables is retried', async () => {
  const process = spawnServer([], {
    options: { 'server-port': 0 },
    environment: { ...NO_DATABASE, PGHOST: '127.0.0.1', PGPORT: '1' },
  });
  await process.logged(/: Attempting to reconnect to the database in 1 seconds/u);
});

test('a misspelled URI scheme ends the process with one sentence, without the password', async () => {
  const { code, stderr } = await runProgram(['postgress://gate:secret@db/shop'], { options: { 'server-port': 0 } });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /: Cannot connect to the database: a connection URI begins with postgres:\/\/, not with postgress:\/\/\. Check db-uri/u,
  );
  expect(stderr).not.toContain('secret');
});

test('DATABASE_URL and PORT suffice', async () => {
  const port = await findFreePort();
  const process = spawnServer([], {
    options: serviceOptions({ 'db-uri': null }),
    environment: { DATABASE_URL: harbor.uri, PORT: String(port) },
  });
  await process.logged(new RegExp(`: API server listening on 127\\.0\\.0\\.1:${port}\\n`, 'u'));
  expect((await sendRequest({ host: '127.0.0.1', port, path: '/berth?limit=0' })).status).toBe(200);
});

test.each([
  [
    'a connection string without its scheme',
    'gate:secret@db/shop',
    /^Error in config expected the name of a configuration file, got a /u,
  ],
  [
    'a misspelled one',
    'postgres//u:secret@db/app',
    /^Error in config expected the name of a configuration file, got a /u,
  ],
  [
    'one of key=value pairs',
    'host=db password=secret',
    /^Error in config expected the name of a configuration file, got a /u,
  ],
  ['an unknown command', 'serve', /^Error in config serve: openFile: .*; an unknown command is taken as /u],
  ['a misspelled command', 'doctr', /^Error in config doctr: openFile: .*; did you mean the command doctor\?\n$/u],
])('%s as a file name is rejected in one sentence, without the password', async (_, name, message) => {
  const { code, stderr } = await runProgram(['--dump-config', '--', name], { folder });
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd()).not.toMatch(/secret|\n/u);
});

test('O15 O16 an unreadable number or boolean ends every command', async () => {
  const options = { 'db-config': false, 'db-max-rows': 'many', 'db-plan-enabled': 'yes' };
  for (const args of [[], ['--dump-config'], ['--ready'], ['doctor']]) {
    expect(await runProgram(args, { options })).toEqual({
      code: args[0] === 'doctor' ? 2 : 1,
      stdout: '',
      stderr:
        'Error in config db-max-rows: "many" in SVC_DB_MAX_ROWS, where a whole number of at least 0 is allowed\n' +
        'Error in config db-plan-enabled: "yes" in SVC_DB_PLAN_ENABLED, where true or false is allowed\n',
    });
  }
});

test('O4 a dump ignores unknown names, with which a server would not start, and warns on stderr', async () => {
  const options = { 'db-config': false, 'db-schemes': 'api' };
  const dump = await runProgram(['--dump-config'], { options });
  expect([dump.code, dump.stderr]).toEqual([
    0,
    'Warning: the variable SVC_DB_SCHEMES is no option; did you mean SVC_DB_SCHEMAS?\n',
  ]);
  const server = await runProgram([], { options });
  expect([server.code, server.stdout, server.stderr]).toEqual([
    1,
    '',
    dump.stderr.replaceAll('Warning: ', 'Error in config '),
  ]);
});

test('O56 --dump-schema prints one line of JSON, or the error', async () => {
  const good = await runProgram(['--dump-schema'], { options: serviceOptions() });
  expect([good.code, good.stdout.trimEnd().includes('\n')]).toEqual([0, false]);
  expect(Object.keys(JSON.parse(good.stdout) as object)).toContain('dbTables');
  const bad = await runProgram(['--dump-schema'], { options: serviceOptions({ 'db-schemas': 'nowhere' }) });
  expect([bad.code, bad.stdout]).toEqual([1, '']);
  expect(bad.stderr).toContain('Failed to load the schema cache using db-schemas=nowhere');
});

test('O57 O58 --ready queries a running instance', async () => {
  const adminPort = await findFreePort();
  const options = { 'server-host': '127.0.0.1', 'admin-server-port': adminPort, 'db-config': false };
  const down = await runProgram(['--ready'], { options });
  expect([down.code, down.stderr]).toEqual([1, `ERROR: connection refused to http://127.0.0.1:${adminPort}/ready\n`]);
  await serve({ 'admin-server-port': adminPort, 'db-channel-enabled': false });
  const up = await runProgram(['--ready'], { options });
  expect([up.code, up.stdout, up.stderr]).toEqual([0, `OK: http://127.0.0.1:${adminPort}/ready\n`, '']);
});

test('O22 the secret may come from standard input', async () => {
  const { port } = await serve({ 'jwt-secret': '@/dev/stdin' }, { input: `${SECRET}\n` });
  const answer = await sendRequest(
    { host: '127.0.0.1', port, path: '/rpc/who' },
    { headers: bearer({ role: harbor.user }) },
  );
  expect([answer.status, answer.text]).toEqual([200, `"${harbor.user}"`]);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'O182 O214 %s is logged, lets requests finish, and exits with 0',
  async (name) => {
    const { process, port } = await serve();
    const nap = sendRequest({ host: '127.0.0.1', port, path: '/rpc/nap' }, post({ seconds: 0.8 }));
    await until(async () => (await countActive('nap')) > 0);
    process.signal(name);
    expect((await nap).status).toBe(200);
    expect(await process.ended()).toBe(0);
    expect(process.stderr()).toMatch(new RegExp(`: Received termination unix signal ${name}$`, 'mu'));
  },
);

test('O182 O214 signals in quick succession count as one', async () => {
  const { process, port } = await serve();
  const nap = sendRequest({ host: '127.0.0.1', port, path: '/rpc/nap' }, post({ seconds: 0.8 }));
  await until(async () => (await countActive('nap')) > 0);
  process.signal('SIGINT');
  await process.logged(/Received termination/u);
  process.signal('SIGINT');
  expect((await nap).status).toBe(200);
  expect(await process.ended()).toBe(0);
  expect(process.stderr().match(/Received termination/gu)).toHaveLength(1);
});

test('O182 a later second signal ends the process at once', async () => {
  const { process, port } = await serve();
  const nap = sendRequest({ host: '127.0.0.1', port, path: '/rpc/nap' }, post({ seconds: 20 })).catch(() => 'cut');
  await until(async () => (await countActive('nap')) > 0);
  process.signal('SIGTERM');
  await process.logged(/Received termination/u);
  await setTimeout(600);
  process.signal('SIGTERM');
  expect([await process.ended(), await nap]).toEqual([143, 'cut']);
});

test('O182 a signal before the port is open also ends the process', async () => {
  const process = spawnServer([], { options: serviceOptions({ 'internal-schema-cache-query-sleep': 20_000 }) });
  await process.logged(/Connection Pool initialized/u);
  process.signal('SIGTERM');
  expect(await process.ended()).toBe(0);
  expect(process.stderr()).not.toContain('API server listening');
});

test('O46 O181 SIGUSR1 reloads the schema cache, SIGUSR2 the configuration', async () => {
  const { process } = await serve();
  expect(process.stderr()).not.toContain('Config reloaded');
  process.signal('SIGUSR2');
  await process.logged(/: Config reloaded\n/u);
  process.signal('SIGUSR1');
  await process.logged(/Schema cache loaded in .*Schema cache loaded in /su);
});

test.runIf(process.platform !== 'win32')('SIGHUP reloads the configuration, and the server keeps running', async () => {
  const { process: server, port } = await serve();
  server.signal('SIGHUP');
  await server.logged(/: Config reloaded\n/u);
  expect((await sendRequest({ host: '127.0.0.1', port, path: '/berth?limit=0' })).status).toBe(200);
  server.signal('SIGTERM');
  expect(await server.ended()).toBe(0);
});

test('O213 the process exits with 1 if the port is in use', async () => {
  const { port } = await serve();
  const second = await runProgram([], { options: serviceOptions({ 'server-port': port }) });
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('address already in use')]);
});

test('O205 every line of the error log has a timestamp', async () => {
  const { process } = await serve({ 'server-port': 0 });
  for (const line of process.stderr().trimEnd().split('\n'))
    expect(line).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}: \S/u);
});

async function countActive(text: string): Promise<number> {
  const rows = await harbor.query(
    `select 1 from pg_stat_activity where state = 'active' and query ~ '${text}' and usename = '${harbor.login}'`,
  );
  return rows.length;
}
