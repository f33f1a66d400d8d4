// Options as a program passes them: each option of the table by its key and with its type.
import { expect, test } from 'vitest';
import { listExtensions } from '../../src/contract/extensions.ts';
import { type ProgramOptions, printProgramOptions } from '../../src/config/resolve/program-options.ts';
import { OPTIONS, printOptionValue, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';
import { createConfigReader } from '../../src/service/configuration/read-config.ts';

/** A non-default value for each option, as it appears in the resolved configuration. */
const VALUES = {
  adminServerHost: '127.0.0.2',
  adminServerPort: 3001,
  adminServerUnixSocket: '/run/admin.sock',
  adminServerUnixSocketMode: 0o600,
  batchHeaders: ['x-tenant'],
  batchMaxRequests: 50,
  batchMaxResponse: 1_000_000,
  clientErrorVerbosity: 'minimal',
  dbAggregatesEnabled: true,
  dbAnonRole: 'web_anon',
  dbChannel: 'other',
  dbChannelEnabled: false,
  dbConfig: false,
  dbBatchReads: false,
  dbDiscardPlans: true,
  dbKeepHeap: false,
  dbExtraSearchPath: ['extensions', 'tools'],
  dbHoistedTxSettings: ['work_mem'],
  dbIdempotencySchema: 'keys',
  dbMaxCost: 20_000.5,
  dbMaxRows: 100,
  dbPlanEnabled: true,
  dbPool: 7,
  dbPoolAcquisitionTimeout: 5,
  dbPoolAutomaticRecovery: false,
  dbPoolMaxIdletime: 31,
  dbPoolMaxLifetime: 1801,
  dbPreConfig: 'api.configure',
  dbPreRequest: 'api.check',
  dbPreparedStatements: false,
  dbReadYourWrites: 'cookie',
  dbReplicaMaxLag: 3,
  dbReplicaWait: 4,
  dbRootSpec: 'api.root',
  dbSafeUpdate: true,
  dbSchemas: ['api', 'v2'],
  dbShardClaim: 'tenant_id',
  dbTraceparent: true,
  dbTxEnd: 'rollback',
  dbUri: 'postgresql://localhost/other',
  dbUriReplicas: ['postgresql://one/other', 'postgresql://two/other'],
  dialect: 'postgrest',
  eventsMaxStreams: 10,
  extensions: ['stream'],
  idempotencyAnonymous: true,
  idempotencyMaxAge: 60,
  idempotencyMaxBytes: 70,
  jwtAud: 'somebody',
  jwtCookie: 'session',
  jwtIssuer: 'https://login.example.com/',
  jwtJwksUri: 'https://login.example.com/keys.json',
  liveBufferSize: 10,
  liveDbUri: 'postgresql://localhost/live',
  liveHeaders: ['x-tenant'],
  liveIgnoreClaims: ['jti'],
  liveInterval: 10,
  liveMaxBytes: 1000,
  liveMaxRows: 10,
  liveMaxStreams: 10,
  livePublication: 'live',
  liveResync: 10,
  jwtCacheMaxEntries: 5,
  jwtCacheMaxLifetime: 60,
  jwtRoleClaimKey: '$.a.b',
  jwtSecret: 'a-secret-of-at-least-thirty-two-bytes',
  jwtSecretIsBase64: true,
  logFormat: 'json',
  logLevel: 'info',
  logQuery: true,
  mcpMaxRows: 10,
  mcpPath: '/agents',
  mcpWrites: true,
  nestedMaxDepth: 3,
  nestedMaxRows: 1000,
  openapiExternalDocs: 'https://example.org/docs',
  openapiMode: 'ignore-privileges',
  openapiSecurityActive: true,
  openapiServerProxyUri: 'https://example.org/api',
  openapiVersion: '3.1',
  serverAllowedHosts: ['localhost', '[::1]'],
  serverBodyTimeout: 61,
  serverCorsAllowedOrigins: ['https://a.example', 'https://b.example'],
  serverHeadersTimeout: 61,
  serverEtags: true,
  serverExplorer: true,
  serverHost: '127.0.0.1',
  serverKeepAliveTimeout: 76,
  serverMaxBodySize: 10,
  serverMaxConnectionRequests: 2,
  serverMaxConnections: 11,
  serverMaxHeaders: 50,
  serverMaxJsonDepth: 12,
  serverMaxRequests: 13,
  serverMaxWait: 14,
  serverPort: 8080,
  serverRateLimit: '5/m burst 10',
  serverRateLimitBy: 'address',
  serverReuseport: true,
  serverSendTimeout: 62,
  serverShutdownGrace: 15,
  serverTimingEnabled: true,
  serverTraceHeader: 'X-Id',
  serverTrustedProxies: ['127.0.0.1', 'unix'],
  serverUnixSocket: '/run/api.sock',
  serverUnixSocketMode: 0o666,
  serverWorkers: 3,
  urlMaxBrackets: 16,
  urlMaxEmbedDepth: 17,
  urlMaxEmbeds: 18,
  urlMaxLength: 1900,
  urlMaxLogicDepth: 20,
  urlMaxPathSteps: 21,
  urlMaxSelectItems: 22,
  urlMaxTerms: 23,
  urlUseLegacyTargetNames: false,
} as const satisfies ProgramOptions;

test('covers every option of the table', () => {
  expect(Object.keys(VALUES).sort()).toEqual([...PUBLIC_OPTION_KEYS].sort());
});

test.each(Object.entries(VALUES))('%s reaches the configuration', (key, value) => {
  const stated = printProgramOptions({ [key]: value });
  if (!stated.ok) throw new Error(stated.error);
  const config = createConfigReader({ file: undefined, environment: {}, overrides: stated.value })(
    new Map(),
    undefined,
  );
  if (!config.ok) throw new Error(config.error.message);
  const known = PUBLIC_OPTION_KEYS.find((each) => each === key) ?? 'dbUri';
  const { [known]: arrived } = { ...config.value, extensions: listExtensions(config.value.extensions) };
  expect(typeof value === 'string' ? printOptionValue(known, config.value[known]) : arrived).toEqual(value);
  expect(config.value[known]).not.toEqual(OPTIONS[known].default);
});

test('application settings keep their names, and undefined leaves an option unset', () => {
  const stated = printProgramOptions({ appSettings: { tenant: 'a,b' }, dbPool: undefined });
  expect(stated).toEqual({ ok: true, value: { 'app.settings.tenant': 'a,b' } });
});

test('rejects a name that a list cannot contain', () => {
  expect(printProgramOptions({ dbSchemas: ['a,b'] })).toEqual({
    ok: false,
    error: 'Names in dbSchemas cannot contain a comma: a,b',
  });
});
