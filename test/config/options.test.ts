import { describe, expect, test } from 'vitest';
import { renderExampleDatabase, renderExampleEnvironment, renderExampleFile } from '../../tools/inspect/example.ts';
import { buildConfigSchema } from '../../tools/inspect/json-schema.ts';
import { environmentName } from '../../src/config/table/option.ts';
import { type Dialect, DIALECTS, POSTGREST_DIALECT, SVC_DIALECT } from '../../src/contract/dialect.ts';
import { OPTION_KEYS, OPTIONS, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';
import { resolved } from '../support/resolve-text.ts';

test.each(OPTION_KEYS)('the name of %s is derived from its key', (key) => {
  expect(OPTIONS[key].name).toBe(key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
});

test('names and aliases are distinct', () => {
  const names = OPTION_KEYS.flatMap((key) => [OPTIONS[key].name].concat(OPTIONS[key].aliases ?? []));
  expect(new Set(names).size).toBe(names.length);
});

test('lists the options that can be set in the database', () => {
  const names = PUBLIC_OPTION_KEYS.filter((key) => OPTIONS[key].isInDatabase).map((key) => OPTIONS[key].name);
  expect(names).toEqual([
    'client-error-verbosity',
    'db-aggregates-enabled',
    'db-anon-role',
    'db-extra-search-path',
    'db-hoisted-tx-settings',
    'db-max-cost',
    'db-max-rows',
    'db-plan-enabled',
    'db-pre-config',
    'db-pre-request',
    'db-prepared-statements',
    'db-root-spec',
    'db-schemas',
    'db-tx-end',
    'jwt-aud',
    'jwt-cache-max-entries',
    'jwt-cache-max-lifetime',
    'jwt-cookie',
    'jwt-issuer',
    'jwt-jwks-uri',
    'jwt-role-claim-key',
    'jwt-secret',
    'jwt-secret-is-base64',
    'openapi-mode',
    'openapi-security-active',
    'openapi-server-proxy-uri',
    'server-cors-allowed-origins',
    'server-timing-enabled',
    'server-trace-header',
    'url-use-legacy-target-names',
  ]);
});

test('derives the name of a variable', () => {
  expect(environmentName('jwt-secret-is-base64', 'SVC_')).toBe('SVC_JWT_SECRET_IS_BASE64');
});

const EVERY_EXAMPLE = {
  adminServerHost: '!4',
  adminServerPort: 3001,
  adminServerUnixSocket: '/run/api/admin.sock',
  dbAnonRole: 'anon',
  dbMaxCost: 20_000,
  dbMaxRows: 1000,
  dbPreConfig: { schema: 'private', name: 'configure' },
  dbPreRequest: { schema: 'private', name: 'check_request' },
  dbRootSpec: { schema: 'api', name: 'root' },
  dbShardClaim: 'tenant_id',
  jwtAud: 'https://api.example.com',
  jwtCookie: 'session',
  jwtIssuer: 'https://login.example.com/',
  jwtJwksUri: 'https://login.example.com/.well-known/jwks.json',
  jwtCacheMaxEntriesIsSet: true,
  jwtCacheMaxLifetime: 3600,
  mcpPath: '/mcp',
  jwtSecret: new TextEncoder().encode('a passphrase of at least 32 characters'),
  batchHeaders: ['x-tenant'],
  liveDbUri: 'postgres://replicator@localhost/app',
  liveHeaders: ['x-tenant'],
  liveIgnoreClaims: ['iat', 'exp', 'nbf', 'jti'],
  livePublication: 'rowhouse_live',
  openapiExternalDocs: 'https://example.com/docs',
  openapiServerProxyUri: 'https://example.com:8443/basePath',
  serverAllowedHosts: ['localhost', '127.0.0.1', '[::1]'],
  serverCorsAllowedOrigins: ['https://app.example.com', 'https://admin.example.com'],
  serverRateLimit: { requests: 50, unit: 's', burst: 100 },
  serverTraceHeader: 'X-Request-Id',
  serverTrustedProxies: ['127.0.0.1', '10.0.0.0/8', 'unix'],
  serverUnixSocket: '/run/api/api.sock',
};

describe.each(Object.values(DIALECTS))('examples of the dialect $name', (dialect: Dialect) => {
  const defaults = { ...resolved({ dialect: dialect.name }), environmentPrefix: expect.any(String) as string };

  test('O52 the example file loads and sets the defaults', () => {
    expect(resolved({ file: renderExampleFile(dialect) })).toEqual(defaults);
  });

  test('the lines that the example file comments out are valid too', () => {
    const file = renderExampleFile(dialect).replaceAll(/^# /gm, '');
    expect(resolved({ file })).toEqual({ ...defaults, ...EVERY_EXAMPLE, appSettings: [['motto', 'any text']] });
  });

  test('the example environment sets the defaults, and its comments are valid', () => {
    const example = renderExampleEnvironment(dialect);
    const uncommented = example.replaceAll(/^# /gm, '');
    expect(resolved({ environment: readVariables(example) })).toEqual(defaults);
    expect(resolved({ environment: readVariables(uncommented) })).toEqual({ ...defaults, ...EVERY_EXAMPLE });
  });
});

function readVariables(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

test('the database example contains exactly the in-database options', () => {
  const example = renderExampleDatabase(SVC_DIALECT);
  expect(example).toContain(
    `\n---- Schemas to expose; the first is the default\nALTER ROLE authenticator SET svc.db_schemas = 'public';\n`,
  );
  expect(example).toContain(`\n-- ALTER ROLE authenticator SET svc.db_anon_role = 'anon';\n`);
  expect(example).not.toContain('db_uri');
  expect(renderExampleDatabase(POSTGREST_DIALECT)).toContain(
    `ALTER ROLE authenticator SET pgrst.db_schemas = 'public';`,
  );
});

test('the JSON Schema describes every option, alias and setting', () => {
  const schema = buildConfigSchema(SVC_DIALECT);
  const { properties } = schema;
  const names = PUBLIC_OPTION_KEYS.flatMap((key) => [OPTIONS[key].name].concat(OPTIONS[key].aliases ?? []));
  expect(Object.keys(properties).sort()).toEqual(names.sort());
  expect(properties['db-tx-end']).toEqual({
    type: 'string',
    enum: ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'],
    description: OPTIONS.dbTxEnd.doc,
    default: 'commit',
    'x-environment': 'SVC_DB_TX_END',
    'x-database-setting': 'svc.db_tx_end',
    'x-reloadable': true,
  });
  expect(properties['admin-server-port']).toEqual({
    type: 'integer',
    minimum: 0,
    maximum: 65535,
    description: OPTIONS.adminServerPort.doc,
    examples: [3001],
    'x-environment': 'SVC_ADMIN_SERVER_PORT',
    'x-reloadable': false,
  });
  expect(properties['db-schemas']).toMatchObject({ type: 'string', default: 'public' });
  expect(properties['db-pool']).toMatchObject({ type: 'integer', default: 10 });
  expect(properties['db-schema']).toMatchObject({ deprecated: true, description: 'Use db-schemas' });
  expect(buildConfigSchema(POSTGREST_DIALECT).properties).toMatchObject({
    'db-channel': { default: 'pgrst' },
    'db-tx-end': { 'x-environment': 'PGRST_DB_TX_END', 'x-database-setting': 'pgrst.db_tx_end' },
  });
});
