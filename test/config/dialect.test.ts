// How the dialect is chosen, and how it determines the option names in each source.
import { describe, expect, test } from 'vitest';
import { renderConfigDump } from '../../tools/inspect/dump-config.ts';
import { resolveJwtCachePolicy } from '../../src/config/resolve/jwt-cache-policy.ts';
import { errorOf, fromRole, resolved, type TextSources } from '../support/resolve-text.ts';

describe('the dialect', () => {
  test.each<[string, TextSources, 'svc' | 'postgrest']>([
    ['defaults to svc', {}, 'svc'],
    ['comes from the file', { file: 'dialect = "postgrest"' }, 'postgrest'],
    ['comes from SVC_DIALECT', { environment: { SVC_DIALECT: 'postgrest' } }, 'postgrest'],
    ['comes from PGRST_DIALECT', { environment: { PGRST_DIALECT: 'postgrest' } }, 'postgrest'],
    [
      'comes from SVC_DIALECT rather than PGRST_DIALECT',
      { environment: { PGRST_DIALECT: 'postgrest', SVC_DIALECT: 'svc' } },
      'svc',
    ],
    [
      'comes from a variable rather than the file',
      { environment: { SVC_DIALECT: 'svc' }, file: 'dialect = "postgrest"' },
      'svc',
    ],
    ['ignores an empty variable', { environment: { SVC_DIALECT: '' }, file: 'dialect = "postgrest"' }, 'postgrest'],
    [
      'comes from the command line rather than any other source',
      { dialect: 'svc', environment: { SVC_DIALECT: 'postgrest' }, file: 'dialect = "postgrest"' },
      'svc',
    ],
    ['does not depend on the prefix of other variables', { environment: { PGRST_DB_POOL: '3' } }, 'svc'],
    ['cannot be set in the database', { database: fromRole({ dialect: 'postgrest' }) }, 'svc'],
  ])('%s', (_, sources, dialect) => {
    expect(resolved(sources).dialect).toBe(dialect);
  });

  test('rejects an unknown name', () => {
    const message = 'Error in config Invalid dialect. Check your configuration. Allowed for dialect, not';
    expect(errorOf({ file: 'dialect = "PostgREST"' })).toBe(`${message} "PostgREST": svc, postgrest.`);
    expect(errorOf({ environment: { SVC_DIALECT: 'pgrst' } })).toBe(`${message} "pgrst": svc, postgrest.`);
  });

  test('does not change on a reload', () => {
    const previous = resolved({ file: 'dialect = "postgrest"' });
    const reloaded = resolved({ file: 'dialect = "svc"', environment: { PGRST_DB_MAX_ROWS: '7' }, previous });
    expect(reloaded).toMatchObject({ dialect: 'postgrest', dbMaxRows: 7, environmentPrefix: 'PGRST_' });
  });
});

describe('variables', () => {
  const both = { SVC_DB_POOL: '1', PGRST_DB_POOL: '2' };

  test.each<[string, TextSources, string, number]>([
    ['of svc are read in svc', { environment: both }, 'SVC_', 1],
    ['of postgrest are read in postgrest', { dialect: 'postgrest', environment: both }, 'PGRST_', 2],
    ['of postgrest are read in svc when alone', { environment: { PGRST_DB_POOL: '2' } }, 'PGRST_', 2],
    ['of svc are read in postgrest when alone', { dialect: 'postgrest', environment: { SVC_DB_POOL: '1' } }, 'SVC_', 1],
    [
      'are not selected by SVC_DIALECT alone',
      { environment: { SVC_DIALECT: 'postgrest', PGRST_DB_POOL: '2' } },
      'PGRST_',
      2,
    ],
    ['are selected by an alias', { environment: { PGRST_DB_SCHEMA: 'x', PGRST_DB_POOL: '2' } }, 'PGRST_', 2],
    [
      'are not selected by unrelated variables with the prefix',
      { environment: { PGRST_SERVICE_HOST: '10.0.0.1', PGRST_PORT: 'tcp://10.0.0.1:80' } },
      'SVC_',
      10,
    ],
  ])('%s', (_, sources, environmentPrefix, dbPool) => {
    expect(resolved(sources)).toMatchObject({ environmentPrefix, dbPool });
  });

  test('set application settings under either prefix', () => {
    const environment = { PGRST_APP_SETTINGS_TIDE_KEY: '42' };
    expect(resolved({ environment }).appSettings).toEqual([['TIDE_KEY', '42']]);
    expect(resolved({ dialect: 'postgrest', environment }).appSettings).toEqual([['TIDE_KEY', '42']]);
    expect(resolved({ environment: { ...environment, SVC_DB_POOL: '1' } }).appSettings).toEqual([]);
  });
});

describe('defaults of postgrest', () => {
  test('sets the channel', () => {
    expect(resolved({ dialect: 'postgrest' }).dbChannel).toBe('pgrst');
    expect(resolved({ dialect: 'postgrest', file: 'db-channel = "svc"' }).dbChannel).toBe('svc');
  });

  test('enables the token cache unless an option is zero', () => {
    const policy = (file: string) => resolveJwtCachePolicy(resolved({ dialect: 'postgrest', file }));
    expect(policy('')).toEqual({ maxEntries: 1000, maxLifetime: undefined });
    expect(policy('jwt-cache-max-lifetime = 60')).toEqual({ maxEntries: 1000, maxLifetime: 60 });
    expect(policy('jwt-cache-max-entries = 0')).toBeUndefined();
    expect(policy('jwt-cache-max-lifetime = 0')).toBeUndefined();
    expect(resolveJwtCachePolicy(resolved({}))).toBeUndefined();
  });

  test('names the dialect in the dump, which loads to the same dump', () => {
    const dump = renderConfigDump(resolved({ dialect: 'postgrest' }));
    expect(dump).toMatch(/^db-channel = "pgrst"$/m);
    expect(dump).toMatch(/^dialect = "postgrest"$/m);
    expect(dump).toMatch(/^jwt-cache-max-lifetime = ""$/m);
    expect(renderConfigDump(resolved({ file: dump }))).toBe(dump);
    expect(renderConfigDump(resolved({}))).toMatch(/^dialect = "svc"$/m);
  });
});

/** Options of versions 12 to 14, including older names and one that no longer exists. */
const OLDER_FILE = `
db-uri = "postgres://gate:anchor@db/port"
db-schema = "public"
db-schemas = "harbor, archive"
db-anon-role = "visitor"
db-pool = 10
db-pool-timeout = 90
db-pool-acquisition-timeout = 10
db-pool-max-lifetime = 1800
db-pool-max-idletime = 30
db-pool-automatic-recovery = true
db-extra-search-path = "public"
db-hoisted-tx-settings = "statement_timeout, plan_filter.statement_cost_limit, default_transaction_isolation"
db-channel-enabled = true
db-tx-end = "commit-allow-override"
db-prepared-statements = true
db-aggregates-enabled = true
db-plan-enabled = false
pre-request = "check_pass"
root-spec = "harbor.gate"
max-rows = 500
server-host = "!4"
server-port = 3000
server-unix-socket-mode = "660"
server-cors-allowed-origins = "https://quay.example"
server-timing-enabled = false
server-trace-header = "X-Request-Id"
admin-server-port = 3001
openapi-mode = "follow-privileges"
openapi-security-active = false
openapi-server-proxy-uri = "https://port.example"
jwt-secret = "a passphrase of at least 32 characters"
secret-is-base64 = false
jwt-aud = "pilots"
role-claim-key = ".role"
jwt-cache-max-lifetime = 0
log-level = "error"
log-query = "main-query"
app.settings.motto = "ahoy"
raw-media-types = "image/png"
`;

test('a file for versions 12 to 14 loads unchanged', () => {
  expect(resolved({ dialect: 'postgrest', file: OLDER_FILE })).toMatchObject({
    dbSchemas: ['harbor', 'archive'],
    dbPoolMaxIdletime: 30,
    dbPreRequest: { schema: undefined, name: 'check_pass' },
    dbRootSpec: { schema: 'harbor', name: 'gate' },
    dbMaxRows: 500,
    jwtRoleClaimKey: '."role"',
    logQuery: true,
    appSettings: [['motto', 'ahoy']],
  });
});

const NEWEST_FILE = `
dialect = "postgrest"
db-schemas = "harbor"
db-config = false
admin-server-host = "*4"
admin-server-unix-socket = "/run/api/admin.sock"
admin-server-unix-socket-mode = "600"
client-error-verbosity = "minimal"
jwt-role-claim-key = "$$.roles[?@ == 'clerk']"
jwt-cache-max-entries = 500
log-query = true
server-reuseport = false
url-use-legacy-target-names = false
`;

test('a file for the newest version loads unchanged once it names the dialect', () => {
  expect(resolved({ file: NEWEST_FILE })).toMatchObject({
    dialect: 'postgrest',
    dbChannel: 'pgrst',
    adminServerUnixSocket: '/run/api/admin.sock',
    adminServerUnixSocketMode: 0o600,
    clientErrorVerbosity: 'minimal',
    jwtRoleClaimKey: "$.roles[?@ == 'clerk']",
    jwtCacheMaxEntries: 500,
    urlUseLegacyTargetNames: false,
  });
});
