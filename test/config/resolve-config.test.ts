import { describe, expect, test } from 'vitest';
import { enableExtensions, EXTENSION_NAMES } from '../../src/contract/extensions.ts';
import { OPTION_KEYS, OPTIONS } from '../../src/config/table/options.ts';
import { fromFunction, fromRole, resolved, resolveText, type TextSources } from '../support/resolve-text.ts';

const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

describe('precedence', () => {
  const everywhere: TextSources = {
    file: 'db-max-rows = 50',
    environment: { SVC_DB_MAX_ROWS: '20' },
    database: fromRole({ db_max_rows: '5' }),
  };

  test.each<[string, TextSources, number | undefined]>([
    ['the database overrides all', everywhere, 5],
    ['the environment overrides the file', { ...everywhere, database: new Map() }, 20],
    ['the file overrides the default', { file: 'db-max-rows = 50' }, 50],
    ['the default applies', {}, undefined],
    [
      'O44 an empty value of the pre-config function counts as unset',
      { ...everywhere, database: fromFunction({ db_max_rows: '' }) },
      20,
    ],
    ['an empty value of a role counts as set', { ...everywhere, database: fromRole({ db_max_rows: '' }) }, undefined],
    ['without db-config the database is ignored', { ...everywhere, file: 'db-config = false' }, 20],
    ['an empty value hides lower sources', { ...everywhere, database: fromRole({ db_max_rows: '' }) }, undefined],
  ])('O1 %s', (_, sources, maxRows) => {
    expect(resolved(sources).dbMaxRows).toBe(maxRows);
  });

  test('O2 an empty variable hides the file and falls back to the default', () => {
    const config = resolved({
      file: 'db-max-rows = 50\ndb-anon-role = "x"\ndb-schemas = "y"\ndb-pool = 3',
      environment: { SVC_DB_MAX_ROWS: '', SVC_DB_ANON_ROLE: '', SVC_DB_SCHEMAS: '', SVC_DB_POOL: '' },
    });
    expect([config.dbMaxRows, config.dbAnonRole, config.dbSchemas, config.dbPool]).toEqual([
      undefined,
      undefined,
      ['public'],
      10,
    ]);
  });

  test.each<[string, TextSources, number | undefined]>([
    ['in the file', { file: 'max-rows = 3' }, 3],
    ['in the environment', { environment: { SVC_MAX_ROWS: '3' } }, 3],
    [
      'in the environment yields to the name in the file',
      { file: 'db-max-rows = 4', environment: { SVC_MAX_ROWS: '3' } },
      4,
    ],
    ['applies if the name has no usable value', { file: 'max-rows = 3', environment: { SVC_DB_MAX_ROWS: '' } }, 3],
    ['has no in-database name', { database: fromRole({ max_rows: '3' }) }, undefined],
  ])('O3 an alias %s', (_, sources, maxRows) => {
    expect(resolved(sources).dbMaxRows).toBe(maxRows);
  });

  test('O3 resolves all aliases', () => {
    const config = resolved({
      file: 'db-schema = "a"\npre-request = "b"\nroot-spec = "c"\nsecret-is-base64 = true\ndb-pool-timeout = 7\nrole-claim-key = "$$.r"',
    });
    expect(config).toMatchObject({
      dbSchemas: ['a'],
      dbPreRequest: { schema: undefined, name: 'b' },
      dbRootSpec: { schema: undefined, name: 'c' },
      jwtSecretIsBase64: true,
      dbPoolMaxIdletime: 7,
      jwtRoleClaimKey: '$.r',
    });
  });

  test('O4 unknown names change nothing and cause warnings', () => {
    const config = resolved({
      file: 'no-such = 1\nother.thing = "x"',
      environment: { SVC_NO_SUCH: '1', svc_db_pool: '3', DB_POOL: '4' },
      database: fromRole({ no_such: 'x' }),
    });
    expect(config).toEqual({ ...resolved({}), warnings: config.warnings });
    expect(config.warnings).toHaveLength(3);
  });

  test('O29 options without an in-database name are not read from the database', () => {
    const database = fromRole({
      db_channel: 'x',
      log_level: 'crit',
      db_pool: '3',
      db_config: 'false',
      server_port: '1',
    });
    expect(resolved({ database })).toEqual(resolved({}));
  });

  test('O10 a dollar from the environment or the database is literal', () => {
    const config = resolved({
      environment: { SVC_DB_URI: 'postgres://a:pa$word@b/$$', SVC_JWT_ROLE_CLAIM_KEY: '$.role' },
      database: fromRole({ db_anon_role: '$(x)' }),
    });
    expect([config.dbUri, config.jwtRoleClaimKey, config.dbAnonRole]).toEqual([
      'postgres://a:pa$word@b/$$',
      '$.role',
      '$(x)',
    ]);
  });
});

describe('application settings', () => {
  test('O30 a variable overrides the identical key of the file', () => {
    const config = resolved({
      file: 'app.settings.X = "file"\napp.settings.Y = 13\napp { settings { z = "" } }\napp.settings.list = []',
      environment: { SVC_APP_SETTINGS_X: 'variable', SVC_APP_SETTINGS_y: 'new', SVC_APP_SETTINGS_a1: '' },
    });
    expect(config.appSettings).toEqual([
      ['X', 'variable'],
      ['Y', '13'],
      ['z', ''],
      ['y', 'new'],
      ['a1', ''],
    ]);
  });

  test('omits variables whose name could not be a key', () => {
    const environment = {
      SVC_APP_SETTINGS_: 'a',
      'SVC_APP_SETTINGS_a b': 'b',
      SVC_APP_SETTINGS_2x: 'c',
      SVC_APP_SETTINGS: 'd',
    };
    expect(resolved({ environment }).appSettings).toEqual([['2x', 'c']]);
  });
});

describe('extensions', () => {
  test.each([
    ['svc', '', EXTENSION_NAMES],
    ['postgrest', '', []],
    ['svc', 'none', []],
    ['postgrest', 'all', EXTENSION_NAMES],
    ['svc', ' ingest , stream ', ['stream', 'ingest']],
    ['postgrest', 'ingest', ['ingest']],
  ] as const)('B54 in the %s dialect, extensions = "%s" is %j', (dialect, text, extensions) => {
    expect(resolved({ dialect, file: `extensions = "${text}"` }).extensions).toEqual(enableExtensions(extensions));
  });

  test('B54 a reload enables and disables them', () => {
    const previous = resolved({ file: '' });
    expect(resolved({ file: 'extensions = "none"', previous }).extensions).toEqual(enableExtensions([]));
  });
});

describe('reload', () => {
  test('O48 fixed options keep their values, the others change', () => {
    const previous = resolved({ file: 'db-pool = 1\nserver-host = "a"\nserver-unix-socket = "s"\nurl-max-length = 7' });
    const file =
      'db-pool = 9\nserver-host = "b"\nadmin-server-port = 5\ndb-pool-max-lifetime = 1\nurl-max-length = 8\nserver-timing-enabled = true\nlog-level = "info"';
    expect(resolved({ file, previous })).toEqual({ ...previous, serverTimingEnabled: true, logLevel: 'info' });
  });

  test('lists the fixed options', () => {
    const fixed = OPTION_KEYS.filter((key) => OPTIONS[key].isFixed).map((key) => OPTIONS[key].name);
    expect(fixed.sort()).toEqual([
      'admin-server-host',
      'admin-server-port',
      'admin-server-unix-socket',
      'admin-server-unix-socket-mode',
      'db-batch-reads',
      'db-discard-plans',
      'db-keep-heap',
      'db-pool',
      'db-pool-acquisition-timeout',
      'db-pool-max-idletime',
      'db-pool-max-lifetime',
      'db-replica-max-lag',
      'db-replica-wait',
      'db-uri',
      'db-uri-replicas',
      'dialect',
      'live-db-uri',
      'live-publication',
      'server-headers-timeout',
      'server-host',
      'server-keep-alive-timeout',
      'server-max-connections',
      'server-max-headers',
      'server-port',
      'server-reuseport',
      'server-unix-socket',
      'server-unix-socket-mode',
      'server-workers',
      'url-max-length',
    ]);
  });

  test('O26 a reload keeps the connection string and does not read its file again', () => {
    const environment = { SVC_DB_URI: '@uri' };
    const previous = resolved({ environment, files: { uri: 'postgres://first' } });
    expect(resolved({ environment, previous }).dbUri).toBe('postgres://first');
  });

  test('replicas are listed directly or by files that a reload does not read again', () => {
    const environment = { SVC_DB_URI_REPLICAS: 'postgres://one, @two' };
    const previous = resolved({ environment, files: { two: 'postgres://second\n' } });
    expect(previous.dbUriReplicas).toEqual(['postgres://one', 'postgres://second']);
    expect(resolved({ environment, previous }).dbUriReplicas).toEqual(previous.dbUriReplicas);
  });

  test('a reload reads the secret file again', () => {
    const environment = { SVC_JWT_SECRET: '@key' };
    const previous = resolved({ environment, files: { key: SECRET } });
    const next = resolved({ environment, files: { key: `${SECRET}2` }, previous });
    expect(next.jwtSecret).toEqual(new TextEncoder().encode(`${SECRET}2`));
  });

  test('O32 O38 equal ports are an error on a reload, although neither would change', () => {
    const previous = resolved({ file: 'server-port = 4000\nadmin-server-port = 4001' });
    expect(resolveText({ file: 'server-port = 5000\nadmin-server-port = 5000', previous })).toEqual({
      ok: false,
      error: { message: 'Error in config admin-server-port cannot be the same as server-port' },
    });
    expect(resolved({ file: 'server-port = 4001\nadmin-server-port = 4000', previous })).toEqual(previous);
  });

  test('a bad value is an error', () => {
    expect(resolveText({ file: 'log-level = "loud"', previous: resolved({}) })).toEqual({
      ok: false,
      error: {
        message:
          'Error in config Invalid logging level. Check your configuration. ' +
          'Allowed for log-level, not "loud": crit, error, warn, info, debug.',
      },
    });
  });

  test('B32t batch-headers lists names in any case, but none that belongs to the batch or frames a message', () => {
    expect(resolved({ file: 'batch-headers = "X-Tenant, x-color,x-tenant"' }).batchHeaders).toEqual([
      'x-tenant',
      'x-color',
    ]);
    for (const name of ['Authorization', 'COOKIE', 'origin', 'content-length', 'Connection', '*', 'x tenant', 'x:y'])
      expect(resolveText({ file: `batch-headers = "x-tenant, ${name}"` })).toEqual({
        ok: false,
        error: {
          message: `Error in config Invalid batch-headers: must list names of headers that each request may set for itself, such as x-tenant, not "${name.toLowerCase()}".`,
        },
      });
  });
});
