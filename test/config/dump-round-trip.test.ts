// `--dump-config` with any options set: its text loads to the configuration that was dumped, in both dialects.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderConfigDump } from '../../tools/inspect/dump-config.ts';
import { resolveJwtCachePolicy } from '../../src/config/resolve/jwt-cache-policy.ts';
import { quoteConfigText } from '../../src/config/syntax/config-string.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import type { OptionKey } from '../../src/config/table/option.ts';
import { OPTIONS, printDefault, PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';
import { DIALECTS, type DialectName } from '../../src/contract/dialect.ts';
import { EXTENSION_NAMES } from '../../src/contract/extensions.ts';
import { resolved } from '../support/resolve-text.ts';

const text = fc.string({
  minLength: 1,
  unit: fc.constantFrom('a', 'B', '9', '"', '\\', '$', ' ', '\n', '(', 'é', '😀'),
});
const words = fc.array(fc.stringMatching(/^[a-z]{1,5}( [a-z])?$/u), { minLength: 1, maxLength: 3 });
const list = words.map((items) => items.join(','));
const secret = fc.uint8Array({ minLength: 33, maxLength: 33 }).map((bytes) => Buffer.from(bytes).toString('base64'));

/** Values of options whose schema does not say which texts they accept. */
const VALUES: { readonly [Key in OptionKey]?: fc.Arbitrary<string> } = {
  dbUri: text.map((name) => `postgres://gate:p@127.0.0.1/${encodeURIComponent(name)}`),
  dbPreRequest: fc.constantFrom('check', 'api.check', '.x', 'a.'),
  jwtSecret: secret,
  jwtRoleClaimKey: fc.constantFrom('$.role', "$['a b']", '$.roles[0]', '.roles[?(@ == "x")]'),
  jwtAud: fc.constantFrom('port', 'https://port.example/$x'),
  serverUnixSocketMode: fc.constantFrom('600', '0777'),
  adminServerUnixSocketMode: fc.constantFrom('600', '0777'),
  serverRateLimit: fc.constantFrom('50/s burst 100', '1000/h'),
  serverRateLimitBy: fc.constantFrom('role', 'address', 'claim:$.a'),
  batchHeaders: fc.constantFrom('x-tenant', 'X-A,x-b'),
  serverTrustedProxies: fc.constantFrom('10.0.0.0/8,unix', '::1'),
  serverWorkers: fc.constantFrom('auto', '3'),
  extensions: fc.subarray([...EXTENSION_NAMES]).map((some) => some.join(',') || 'none'),
  jwtCookie: fc.constantFrom('session', 'a.b'),
  mcpPath: fc.constantFrom('/mcp', '/a/b'),
  serverPort: fc.integer({ min: 1000, max: 1999 }).map(String),
  adminServerPort: fc.integer({ min: 2000, max: 2999 }).map(String),
  logQuery: fc.constantFrom('main-query', 'true'),
};

function valueOf(key: OptionKey): fc.Arbitrary<string> {
  const { schema, label } = OPTIONS[key].type;
  const { minimum = 0, maximum = 2 ** 40 } = schema as { readonly minimum?: number; readonly maximum?: number };
  const special = VALUES[key];
  if (special !== undefined) return special;
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly string[]));
  if (schema['type'] === 'boolean') return fc.constantFrom('true', 'false');
  if (schema['type'] === 'integer')
    return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) }).map(String);
  if (schema['type'] === 'number') return fc.constantFrom('0.5', '12', '100000');
  if (schema['format'] === 'uri') return fc.constant('https://port.example:8443/base');
  return label === 'List' ? list : text;
}

const keys = PUBLIC_OPTION_KEYS.filter((key) => key !== 'dialect');
const stated = fc.record(Object.fromEntries(keys.map((key) => [key, valueOf(key)])), { requiredKeys: [] });
const settings = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/u), text, { maxKeys: 2 });

/** What the dump says in another form: the cache of tokens is off, or on with a lifetime. */
function comparable(config: AppConfig): unknown {
  const { jwtCacheMaxEntriesIsSet: _, jwtCacheMaxLifetime: _lifetime, warnings: _warnings, ...others } = config;
  return { ...others, appSettings: new Map(config.appSettings), cache: resolveJwtCachePolicy(config) };
}

function writeFile(dialect: DialectName, values: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(values).map(([key, value]) => `${nameOf(key)} = ${quoteConfigText(value ?? '')}`);
  return [`dialect = "${dialect}"`, ...lines].join('\n');
}

function nameOf(key: string): string {
  const known = keys.find((one) => one === key);
  return known === undefined ? key : OPTIONS[known].name;
}

describe.each<DialectName>(['svc', 'postgrest'])('O63 in the dialect %s', (dialect) => {
  test('any options are read from their dump as they were', () => {
    fc.assert(
      fc.property(stated, settings, (values, more) => {
        const own = Object.fromEntries(Object.entries(more).map(([name, value]) => [`app.settings.${name}`, value]));
        const config = resolved({ file: writeFile(dialect, { ...values, ...own }) });
        const dump = renderConfigDump(config);
        const again = resolved({ file: dump });
        expect(comparable(again)).toEqual(comparable(config));
        expect(renderConfigDump(again)).toBe(dump);
      }),
      { numRuns: 50 },
    );
  });

  test('so is each option alone, with a value other than its default', () => {
    for (const key of keys) {
      const standard = printDefault(key, DIALECTS[dialect]);
      const value = fc.sample(valueOf(key), { seed: 7, numRuns: 20 }).find((sample) => sample !== standard);
      const config = resolved({ file: writeFile(dialect, { [key]: value! }) });
      expect(config[key], key).not.toEqual(resolved({ file: writeFile(dialect, {}) })[key]);
      expect(comparable(resolved({ file: renderConfigDump(config) })), key).toEqual(comparable(config));
    }
  });
});
