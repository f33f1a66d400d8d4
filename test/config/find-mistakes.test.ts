// Mistakes in the configuration: which of them end a start, which end every command, and which only cause a warning.
import { describe, expect, test } from 'vitest';
import { errorOf, fromRole, resolved, type TextSources } from '../support/resolve-text.ts';

const serve = (sources: TextSources): string | undefined => errorOf({ ...sources, isServing: true });

/** Values that PostgREST replaces with the default, each with the complaint. */
const UNREADABLE: readonly (readonly [file: string, complaint: string])[] = [
  ['db-pool = "ten"', 'db-pool: "ten" in the configuration file, where a whole number of at least 1 is allowed'],
  ['server-port = "x"', 'server-port: "x" in the configuration file, where a whole number from 0 to 65535 is allowed'],
  [
    'db-max-rows = "many"',
    'db-max-rows: "many" in the configuration file, where a whole number of at least 0 is allowed',
  ],
  ['db-max-rows = 1.5', 'db-max-rows: 1.5 in the configuration file, where a whole number of at least 0 is allowed'],
  ['db-plan-enabled = "yes"', 'db-plan-enabled: "yes" in the configuration file, where true or false is allowed'],
  ['db-plan-enabled = 13', 'db-plan-enabled: 13 in the configuration file, where true or false is allowed'],
  ['log-query = "all"', 'log-query: "all" in the configuration file, where true or false is allowed'],
];

describe('unknown names', () => {
  test.each([
    ['db_pool = 3', 'db_pool in the configuration file is no option; did you mean db-pool?'],
    ['db-url = "x"', 'db-url in the configuration file is no option; did you mean db-uri?'],
    ['db { maxrows = 3 }', 'db.maxrows in the configuration file is no option; did you mean db-max-rows?'],
    ['colour = "red"', 'colour in the configuration file is no option; `rowhouse --help` lists them'],
  ])('a server with the svc dialect refuses to start with %s in its file', (file, message) => {
    expect(serve({ file })).toBe(`Error in config ${message}`);
    expect(resolved({ file }).warnings).toEqual([message]);
  });

  test('a server refuses to start with an SVC_ variable that is not an option', () => {
    expect(serve({ environment: { SVC_DB_SCHEMES: 'api' } })).toBe(
      'Error in config the variable SVC_DB_SCHEMES is no option; did you mean SVC_DB_SCHEMAS?',
    );
  });

  test('reports all mistakes at once', () => {
    expect(serve({ file: 'db-pol = 3\ndb-pool = "ten"', environment: { SVC_POOL: '3' } })?.split('\n')).toEqual([
      'Error in config db-pol in the configuration file is no option; did you mean db-pool?',
      'Error in config the variable SVC_POOL is no option; `rowhouse --help` lists them',
      'Error in config db-pool: "ten" in the configuration file, where a whole number of at least 1 is allowed',
    ]);
  });

  test('the postgrest dialect ignores them with a warning', () => {
    const sources = { dialect: 'postgrest', file: 'db-pol = 3', environment: { PGRST_DB_POL: '4' } } as const;
    expect(resolved({ ...sources, isServing: true }).warnings).toEqual([
      'db-pol in the configuration file is no option; did you mean db-pool?',
      'the variable PGRST_DB_POL is no option; did you mean PGRST_DB_POOL?',
    ]);
  });

  test('the svc dialect ignores PGRST_ variables that are not options with a warning', () => {
    const sources = { environment: { PGRST_DB_POOL: '4', PGRST_DB_POL: '5' } };
    const config = resolved({ ...sources, isServing: true });
    expect([config.dbPool, config.warnings]).toEqual([
      4,
      ['the variable PGRST_DB_POL is no option; did you mean PGRST_DB_POOL?'],
    ]);
  });

  test('aliases, application settings and keys that others interpolate are not mistakes', () => {
    const sources = {
      file: 'max-rows = 3\napp.settings.x = "y"\nlogin = "gate"\ndb-uri = "postgres://$(login)@h/d"',
      environment: { SVC_APP_SETTINGS_Y: 'z', SVC_PRE_REQUEST: 'f', svc_x: '1', OTHER: '2' },
    };
    expect(resolved({ ...sources, isServing: true })).toMatchObject({ dbUri: 'postgres://gate@h/d', warnings: [] });
  });

  test('ignores the variables that a container platform sets for a service named svc', () => {
    const environment = {
      SVC_SERVICE_HOST: '10.0.0.1',
      SVC_SERVICE_PORT: '80',
      SVC_SERVICE_PORT_HTTP: '80',
      SVC_PORT: 'tcp://10.0.0.1:80',
      SVC_PORT_80_TCP: 'tcp://10.0.0.1:80',
      SVC_PORT_80_TCP_ADDR: '10.0.0.1',
      SVC_API_PORT_80_TCP_PROTO: 'tcp',
    };
    expect(resolved({ environment, isServing: true }).warnings).toEqual([]);
  });
});

describe('wrong values', () => {
  test.each([
    ['SVC_DB_POOL', '0', 'db-pool: "0" in SVC_DB_POOL, where a whole number of at least 1 is allowed'],
    ['SVC_DB_MAX_ROWS', '-5', 'db-max-rows: "-5" in SVC_DB_MAX_ROWS, where a whole number of at least 0 is allowed'],
    [
      'SVC_ADMIN_SERVER_PORT',
      '99999',
      'admin-server-port: "99999" in SVC_ADMIN_SERVER_PORT, where a whole number from 0 to 65535 is allowed',
    ],
    [
      'SVC_SERVER_MAX_WAIT',
      '4000',
      'server-max-wait: "4000" in SVC_SERVER_MAX_WAIT, where a whole number from 0 to 3600 is allowed',
    ],
    [
      'SVC_DB_POOL_MAX_IDLETIME',
      '99999999',
      'db-pool-max-idletime: "99999999" in SVC_DB_POOL_MAX_IDLETIME, where a whole number from 0 to 2147483 is allowed',
    ],
  ])('%s=%s, out of range, prevents startup in both dialects; a dump warns', (variable, value, message) => {
    for (const [dialect, prefix] of [['svc', 'SVC_'] as const, ['postgrest', 'PGRST_'] as const]) {
      const sources = { dialect, environment: { [variable.replace('SVC_', prefix)]: value } };
      const text = message.replace('SVC_', prefix);
      expect(serve(sources)).toBe(`Error in config ${text}`);
      expect(resolved(sources).warnings).toEqual([text]);
    }
  });

  test.each<readonly [file: string, message: string]>([
    ['db-pool = true', 'db-pool: true in the configuration file, where a whole number of at least 1 is allowed'],
    ['db-pool = [1]', 'db-pool: a list in the configuration file, where a whole number of at least 1 is allowed'],
    ...UNREADABLE,
  ])('O15 O16 %s in the file ends every command', (file, message) => {
    expect(serve({ file })).toBe(`Error in config ${message}`);
    expect(errorOf({ file })).toBe(`Error in config ${message}`);
  });

  test.each(UNREADABLE)('O15 O16 in the postgrest dialect, %s gives the default, with a warning', (file, complaint) => {
    const config = resolved({ dialect: 'postgrest', file, isServing: true });
    const { dbPool, dbMaxRows, serverPort, dbPlanEnabled, logQuery, warnings } = config;
    expect([dbPool, dbMaxRows, serverPort, dbPlanEnabled, logQuery]).toEqual([10, undefined, 3000, false, false]);
    expect(warnings).toEqual([complaint]);
  });

  test('an invalid in-database value fails the load', () => {
    const database = fromRole({ db_max_rows: '-1' });
    expect(serve({ database })).toBe(
      'Error in config db-max-rows: "-1" in svc.db_max_rows, where a whole number of at least 0 is allowed',
    );
    expect(serve({ database, file: 'db-config = false' })).toBeUndefined();
  });

  test.each(['', ' ', '7', ' 7 '])('accepts %j as an Int', (value) => {
    expect(serve({ environment: { SVC_DB_POOL: value } })).toBeUndefined();
  });

  test('ignores an invalid value that another source overrides', () => {
    expect(serve({ file: 'db-pool = "ten"', environment: { SVC_DB_POOL: '3' } })).toBeUndefined();
  });
});

describe('standard variables of hosting platforms', () => {
  test('DATABASE_URL and PORT set db-uri and server-port in both dialects', () => {
    const environment = { DATABASE_URL: 'postgres://h/d', PORT: '8080' };
    for (const dialect of ['svc', 'postgrest'] as const)
      expect(resolved({ dialect, environment })).toMatchObject({ dbUri: 'postgres://h/d', serverPort: 8080 });
  });

  test.each<[string, TextSources]>([
    ['a variable of our own', { environment: { SVC_DB_URI: 'postgres://own/d', SVC_SERVER_PORT: '1' } }],
    ['the file', { file: 'db-uri = "postgres://own/d"\nserver-port = 1' }],
  ])('%s takes precedence over them', (_, { file = '', environment = {} }) => {
    const platform = { DATABASE_URL: 'postgres://h/d', PORT: '8080' };
    expect(resolved({ file, environment: { ...platform, ...environment } })).toMatchObject({
      dbUri: 'postgres://own/d',
      serverPort: 1,
    });
  });

  test('PG variables that select a database take precedence over DATABASE_URL', () => {
    const environment = { DATABASE_URL: 'postgres://h/d', PGHOST: 'other' };
    expect(resolved({ environment }).dbUri).toBe('postgresql://');
    expect(resolved({ environment: { ...environment, PGHOST: '' } }).dbUri).toBe('postgres://h/d');
  });

  test('an invalid PORT is reported by name; an empty one is ignored', () => {
    expect(serve({ environment: { PORT: 'abc' } })).toBe(
      'Error in config server-port: "abc" in PORT, where a whole number from 0 to 65535 is allowed',
    );
    expect(resolved({ environment: { PORT: '' } }).serverPort).toBe(3000);
  });
});
