import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderConfigDump } from '../../tools/inspect/dump-config.ts';
import { resolveJwtCachePolicy } from '../../src/config/resolve/jwt-cache-policy.ts';
import { OPTIONS, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';
import { type Options, toVariables } from '../support/local-server.ts';
import { fromRole, resolved, type TextSources } from '../support/resolve-text.ts';

/** The dump without options of our own (`operating.md` §2.1). */
const DEFAULT_DUMP = `admin-server-host = "!4"
admin-server-port = ""
admin-server-unix-socket = ""
admin-server-unix-socket-mode = "660"
client-error-verbosity = "verbose"
db-aggregates-enabled = false
db-anon-role = ""
db-channel = "svc"
db-channel-enabled = true
db-config = false
db-extra-search-path = "public"
db-hoisted-tx-settings = "statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation"
db-max-rows = ""
db-plan-enabled = false
db-pool = 10
db-pool-acquisition-timeout = 10
db-pool-automatic-recovery = true
db-pool-max-idletime = 30
db-pool-max-lifetime = 1800
db-pre-config = ""
db-pre-request = ""
db-prepared-statements = true
db-root-spec = ""
db-schemas = "public"
db-tx-end = "commit"
db-uri = "postgresql://"
jwt-aud = ""
jwt-cache-max-entries = 1000
jwt-cache-max-lifetime = 0
jwt-role-claim-key = "$$.role"
jwt-secret = ""
jwt-secret-is-base64 = false
log-level = "error"
log-query = false
openapi-mode = "follow-privileges"
openapi-security-active = false
openapi-server-proxy-uri = ""
server-cors-allowed-origins = ""
server-host = "!4"
server-port = 3000
server-reuseport = false
server-timing-enabled = false
server-trace-header = ""
server-unix-socket = ""
server-unix-socket-mode = "660"
url-use-legacy-target-names = true
`;

const OWN_OPTIONS = `batch-headers = ""
batch-max-requests = 100
batch-max-response = 16777216
db-batch-reads = true
db-discard-plans = false
db-idempotency-schema = ""
db-keep-heap = true
db-max-cost = ""
db-read-your-writes = "header"
db-replica-max-lag = 10
db-replica-wait = 100
db-safe-update = false
db-shard-claim = ""
db-traceparent = false
db-uri-replicas = ""
dialect = "svc"
events-max-streams = 1000
extensions = "all"
idempotency-anonymous = false
idempotency-max-age = 86400
idempotency-max-bytes = 67108864
jwt-cookie = ""
jwt-issuer = ""
jwt-jwks-uri = ""
live-buffer-size = 16777216
live-db-uri = ""
live-headers = ""
live-ignore-claims = ""
live-interval = 250
live-max-bytes = 268435456
live-max-rows = 1000
live-max-streams = 1000
live-publication = ""
live-resync = 60
log-format = "text"
mcp-max-rows = 100
mcp-path = ""
mcp-writes = false
nested-max-depth = 5
nested-max-rows = 100000
openapi-external-docs = ""
openapi-version = "2.0"
server-allowed-hosts = ""
server-body-timeout = 60
server-etags = false
server-explorer = false
server-headers-timeout = 60
server-keep-alive-timeout = 75
server-max-body-size = 1073741824
server-max-connection-requests = 1
server-max-connections = 10000
server-max-headers = 200
server-max-json-depth = 512
server-max-requests = 1000
server-max-wait = 1
server-rate-limit = ""
server-rate-limit-by = "claim:$$.sub"
server-send-timeout = 60
server-shutdown-grace = 60
server-trusted-proxies = ""
server-workers = "auto"
url-max-brackets = 4000
url-max-embed-depth = 32
url-max-embeds = 64
url-max-length = 100000
url-max-logic-depth = 64
url-max-path-steps = 100
url-max-select-items = 1000
url-max-terms = 10000
`;

function dump(sources: TextSources): string {
  return renderConfigDump(resolved(sources));
}

function line(name: string, sources: TextSources): string | undefined {
  return dump(sources)
    .split('\n')
    .find((candidate) => candidate.startsWith(`${name} = `));
}

test('O62 the default dump has every option, sorted', () => {
  const lines = `${DEFAULT_DUMP}${OWN_OPTIONS}`.trimEnd().split('\n').sort();
  expect(dump({ file: 'db-config = false' })).toBe(`${lines.join('\n')}\n`);
});

test('O62 no option of the table is missing from the dump', () => {
  const names = dump({ file: 'db-config = false' })
    .trimEnd()
    .split('\n')
    .map((text) => text.split(' = ', 1)[0]);
  const expected = PUBLIC_OPTION_KEYS.map((key) => OPTIONS[key].name);
  expect(names).toEqual(expected);
});

test('O62 the default dump of the postgrest dialect has the options of PostgREST', () => {
  const listed = DEFAULT_DUMP.replace('db-channel = "svc"', 'db-channel = "pgrst"')
    .replace('jwt-aud', 'dialect = "postgrest"\njwt-aud')
    .replace('jwt-cache-max-lifetime = 0', 'jwt-cache-max-lifetime = ""');
  expect(dump({ dialect: 'postgrest', file: 'db-config = false' })).toBe(listed);
});

test.each([
  ['a mode without leading zero', 'server-unix-socket-mode', 'server-unix-socket-mode = "0777"', '"777"'],
  ['a list without blanks', 'db-schemas', 'db-schemas = "one,   two"', '"one,two"'],
  ['a number', 'db-max-rows', 'db-max-rows = 1e3', '1000'],
  [
    'quotes, backslashes, newlines and dollars',
    'app.settings.q',
    'app.settings.q = "a\\"b\\\\c$$d\\ne"',
    '"a\\"b\\\\c$$d\\ne"',
  ],
  ['a bare number as a String', 'db-anon-role', 'db-anon-role = 13', '"13"'],
  ['a function', 'db-pre-request', 'db-pre-request = "Harbor.Check.it"', '"Harbor.Check.it"'],
  ['a JSONPath', 'jwt-role-claim-key', 'jwt-role-claim-key = "$$[\\"a b\\"]"', `"$$['a b']"`],
  [
    'a path of the older syntax',
    'jwt-role-claim-key',
    'jwt-role-claim-key = ".roles[?(@ == \\"x\\")]"',
    '".\\"roles\\"[?(@ == \\"x\\")]"',
  ],
  ['an option of our own that was changed', 'url-max-length', 'url-max-length = 7', '7'],
])('O61 %s', (_, name, file, value) => {
  expect(line(name, { file })).toBe(`${name} = ${value}`);
});

test.each([
  ['svc', 'true', '"true"'],
  ['svc', 'off', '"false"'],
  ['svc', '"true"', '"true"'],
  ['postgrest', 'true', '"Bool True"'],
  ['postgrest', 'off', '"Bool False"'],
  ['postgrest', '"true"', '"true"'],
] as const)('O61 in the %s dialect, app.settings.x = %s is dumped as %s', (dialect, written, dumped) => {
  const file = `app.settings.x = ${written}`;
  expect(line('app.settings.x', { dialect, file })).toBe(`app.settings.x = ${dumped}`);
  expect(line('app.settings.x', { dialect, file: dump({ dialect, file }) })).toBe(`app.settings.x = ${dumped}`);
});

test.each([
  ['svc', 'all', 'extensions = "all"'],
  ['svc', 'none', 'extensions = "none"'],
  ['postgrest', 'none', undefined],
  ['postgrest', 'stream', 'extensions = "stream"'],
] as const)('B54 in the %s dialect, extensions = %s is dumped as %s', (dialect, stated, dumped) => {
  const file = `extensions = "${stated}"`;
  expect(line('extensions', { dialect, file })).toBe(dumped);
});

test('O61 lines are sorted by bytes', () => {
  const lines = dump({
    file: 'app.settings.b = 1\napp.settings.A = 2\napp.settings.a-b = 3\napp.settings.a = 4\napp.settings.é = 5',
  }).split('\n');
  const settings = lines.filter((candidate) => candidate.startsWith('app.'));
  expect(settings).toEqual([
    'app.settings.A = "2"',
    'app.settings.a = "4"',
    'app.settings.a-b = "3"',
    'app.settings.b = "1"',
    'app.settings.é = "5"',
  ]);
  expect(lines.indexOf('app.settings.A = "2"')).toBe(4);
});

test('omits internal options', () => {
  expect(line('internal-schema-cache-query-sleep', { file: 'internal-schema-cache-query-sleep = 5' })).toBeUndefined();
});

test('dumps in-database values', () => {
  expect(line('db-max-rows', { database: fromRole({ db_max_rows: '77' }) })).toBe('db-max-rows = 77');
});

test('O64 a base64 secret is dumped as base64', () => {
  const base64 = Buffer.from(Uint8Array.from({ length: 42 }, (_, index) => 180 + index)).toString('base64');
  const environment = {
    SVC_JWT_SECRET: base64.replaceAll('+', '-').replaceAll('/', '_'),
    SVC_JWT_SECRET_IS_BASE64: 'true',
  };
  expect(line('jwt-secret', { environment })).toBe(`jwt-secret = "${base64}"`);
});

test.each([
  ['', '0', undefined],
  ['jwt-cache-max-entries = 5', '""', { maxEntries: 5, maxLifetime: undefined }],
  ['jwt-cache-max-lifetime = 60', '60', { maxEntries: 1000, maxLifetime: 60 }],
  ['jwt-cache-max-lifetime = 60\njwt-cache-max-entries = 5', '60', { maxEntries: 5, maxLifetime: 60 }],
  ['jwt-cache-max-lifetime = 60\njwt-cache-max-entries = 0', '0', undefined],
  ['jwt-cache-max-lifetime = 0\njwt-cache-max-entries = 5', '0', undefined],
  ['jwt-cache-max-entries = 0', '0', undefined],
])('the JWT cache follows %j', (file, lifetime, policy) => {
  const config = resolved({ file });
  expect(resolveJwtCachePolicy(config)).toEqual(policy);
  expect(line('jwt-cache-max-lifetime', { file })).toBe(`jwt-cache-max-lifetime = ${lifetime}`);
  expect(resolveJwtCachePolicy(resolved({ file: renderConfigDump(config) }))).toEqual(policy);
});

/** Returns each distinct configuration of the conformance cases. */
function readCaseConfigs(): readonly Options[] {
  const texts = ['reading', 'writing', 'operations'].flatMap((suite) => {
    const file = new URL(`../conformance/cases/${suite}.json`, import.meta.url);
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly { config?: Options }[] };
    return cases.flatMap(({ config }) => (config === undefined ? [] : [JSON.stringify(config)]));
  });
  return [...new Set(texts)].map((text) => JSON.parse(text) as Options);
}

describe('O63 a dump loads to the same dump', () => {
  test.each([
    'db-config = false',
    'db-extra-search-path = ""\ndb-schemas = "Harbor, two words,three"\nserver-cors-allowed-origins = "http://a.example, http://b.example"',
    'db-uri = "postgres://gate:pa$$word@127.0.0.1:1/port?x=y"\njwt-aud = "https://port.example/$$x"',
    'jwt-secret = "{\\"kty\\":\\"oct\\",\\"k\\":\\"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE\\"}"\njwt-role-claim-key = ".roles[?(@ ^== \\"a b\\")]"',
    'db-pre-request = ".x"\ndb-pre-config = "a."\nserver-max-body-size = 5\nlog-query = "main-query"',
  ])('%s', (file) => {
    const first = dump({ file });
    expect(dump({ file: first })).toBe(first);
  });

  test.each(readCaseConfigs())('a case with %j', (options) => {
    const first = dump({ environment: toVariables(options) });
    expect(dump({ file: first })).toBe(first);
  });

  const hostile = fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\r', '\t', '$', '(', ')', '#', 'n', 'u', ' ', ',', '=', 'é', '😀', '\0'),
  });
  const value = fc.oneof(hostile, fc.string({ unit: 'grapheme' }));
  const unnamedFile = value.filter((text) => !text.startsWith('@'));

  test('for any values', () => {
    const environments = fc.record({
      SVC_APP_SETTINGS_x: value,
      SVC_APP_SETTINGS_9_Y: value,
      SVC_DB_ANON_ROLE: value,
      SVC_DB_CHANNEL: value,
      SVC_DB_SCHEMAS: value,
      SVC_DB_EXTRA_SEARCH_PATH: value,
      SVC_DB_PRE_REQUEST: value,
      SVC_DB_URI: unnamedFile,
      SVC_JWT_SECRET: unnamedFile.map((text) => (text === '' ? '' : text.padEnd(32, '.'))),
      SVC_SERVER_UNIX_SOCKET: value,
    });
    fc.assert(
      fc.property(environments, (environment) => {
        const config = resolved({ environment });
        const again = resolved({ file: renderConfigDump(config) });
        expect(renderConfigDump(again)).toBe(renderConfigDump(config));
        expect({ ...again, appSettings: new Map(again.appSettings) }).toEqual({
          ...config,
          appSettings: new Map(config.appSettings),
          warnings: [],
          jwtCacheMaxEntriesIsSet: true,
          jwtCacheMaxLifetime: 0,
        });
      }),
    );
  });
});
