import { describe, expect, test } from 'vitest';
import { EXTENSION_NAMES } from '../../src/contract/extensions.ts';
import { errorOf, fromRole, resolved } from '../support/resolve-text.ts';

const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}

function secretOf(environment: Record<string, string>, files: Record<string, string> = {}): string | undefined {
  return textOf(resolved({ environment, files }).jwtSecret);
}

describe('validation', () => {
  const PREFIX = 'Error in config ';

  test.each([
    ['O31', 'db-schemas', 'pg_catalog', "db-schemas does not allow schema: 'pg_catalog'"],
    ['O31', 'db-schemas', 'api, information_schema', "db-schemas does not allow schema: 'information_schema'"],
    ['O33', 'server-unix-socket-mode', '800', 'Invalid server-unix-socket-mode: not an octal'],
    ['O33', 'server-unix-socket-mode', 'abc', 'Invalid server-unix-socket-mode: not an octal'],
    ['O33', 'server-unix-socket-mode', '577', 'Invalid server-unix-socket-mode: needs to be between 600 and 777'],
    ['O33', 'server-unix-socket-mode', '1000', 'Invalid server-unix-socket-mode: needs to be between 600 and 777'],
    [
      'O33',
      'admin-server-unix-socket-mode',
      '599',
      'Invalid admin-server-unix-socket-mode: needs to be between 600 and 777',
    ],
    [
      'O33',
      'admin-server-unix-socket-mode',
      '778',
      'Invalid admin-server-unix-socket-mode: needs to be between 600 and 777',
    ],
    ['O33', 'server-unix-socket-mode', '0o1000', 'Invalid server-unix-socket-mode: needs to be between 600 and 777'],
    ['O33', 'server-unix-socket-mode', '660x', 'Invalid server-unix-socket-mode: not an octal'],
    [
      'O34',
      'openapi-mode',
      'off',
      'Invalid openapi-mode. Check your configuration. Allowed for openapi-mode, not "off": follow-privileges, ignore-privileges, disabled.',
    ],
    [
      'O34',
      'log-level',
      'Info',
      'Invalid logging level. Check your configuration. Allowed for log-level, not "Info": crit, error, warn, info, debug.',
    ],
    [
      'O34',
      'db-tx-end',
      'Commit',
      'Invalid transaction termination. Check your configuration. Allowed for db-tx-end, not "Commit": commit, commit-allow-override, rollback, rollback-allow-override.',
    ],
    [
      'O34',
      'client-error-verbosity',
      'some',
      'Invalid client-error-verbosity. Check your configuration. Allowed for client-error-verbosity, not "some": verbose, minimal.',
    ],
    ['O36', 'jwt-aud', 'foo://%%$$^^.com', 'jwt-aud should be a string or a valid URI'],
    [
      'B54',
      'extensions',
      'stream, streams',
      `Unknown extension. Check your configuration. Allowed for extensions, not "streams": all, none, or some of ${EXTENSION_NAMES.join(', ')}.`,
    ],
    [
      'B54',
      'extensions',
      'all,stream',
      `Unknown extension. Check your configuration. Allowed for extensions, not "all": all, none, or some of ${EXTENSION_NAMES.join(', ')}.`,
    ],
    ['O102', 'jwt-role-claim-key', '.a;;b', 'failed to parse role-claim-key value (.a;;b)'],
    ['O102', 'jwt-role-claim-key', 'duty.role', 'failed to parse role-claim-key value (duty.role)'],
  ])('%s %s = %s', (_, name, value, message) => {
    const variable = `SVC_${name.toUpperCase().replaceAll('-', '_')}`;
    expect(errorOf({ environment: { [variable]: value } })).toBe(PREFIX + message);
    expect(errorOf({ file: `${name} = "${value.replaceAll('$', '$$$$')}"` })).toBe(PREFIX + message);
  });

  test('rejects an invalid in-database value', () => {
    expect(errorOf({ database: fromRole({ db_tx_end: 'never' }) })).toBe(
      'Error in config Invalid transaction termination. Check your configuration. Allowed for db-tx-end, not "never": commit, commit-allow-override, rollback, rollback-allow-override.',
    );
  });

  test('O32 the admin port must differ from the server port', () => {
    expect(errorOf({ file: 'server-port = 4999\nadmin-server-port = 4999' })).toBe(
      'Error in config admin-server-port cannot be the same as server-port',
    );
    expect(errorOf({ file: 'admin-server-port = 3000' })).toBeDefined();
    expect(errorOf({ file: 'admin-server-port = 3001' })).toBeUndefined();
    expect(errorOf({ file: 'server-port = 0\nadmin-server-port = 0' })).toBeUndefined();
  });

  test.each([
    'http://user@h/x',
    'https://h/x?a=b',
    'https://h/x?',
    'http://h/#f',
    'ftp://h',
    'http://h:99999/',
    'http://h:0/',
    'http://h:x/',
    'http:///x',
    'http:/h',
    '//h/x',
    'nonsense',
    'https://h/a b',
    'https://h/%zz',
    'https://[::1/x',
  ])('O35 rejects the proxy URI %s', (uri) => {
    expect(errorOf({ environment: { SVC_OPENAPI_SERVER_PROXY_URI: uri } })).toBe(
      'Error in config Malformed proxy uri, a correct example: https://example.com:8443/basePath',
    );
  });

  test.each([
    'https://h:8443/x',
    'HTTP://h',
    'http://h:65535',
    'http://h:/',
    'https://[::1]:1/x',
    'https://a.b-c.example/~x/%20/y;z',
  ])('O35 accepts the proxy URI %s', (uri) => {
    expect(resolved({ environment: { SVC_OPENAPI_SERVER_PROXY_URI: uri } }).openapiServerProxyUri).toBe(uri);
  });

  test.each(['plain text', 'https://h/x', 'urn:a:b', 'a:', 'mailto:x@y?subject=z#f'])(
    'O36 accepts the audience %s',
    (audience) => {
      expect(resolved({ environment: { SVC_JWT_AUD: audience } }).jwtAud).toBe(audience);
    },
  );
});

describe('secret and connection string', () => {
  test.each([
    ['O20 one newline is stripped', `${SECRET}\n`, SECRET],
    ['O20 a second one is kept', `${SECRET}\n\n`, `${SECRET}\n`],
    ['O20 other blanks are kept', ` ${SECRET} `, ` ${SECRET} `],
  ])('%s: a secret file', (_, content, secret) => {
    expect(secretOf({ SVC_JWT_SECRET: '@some/key' }, { 'some/key': content })).toBe(secret);
  });

  test('an unreadable or empty secret file is an error', () => {
    expect(errorOf({ environment: { SVC_JWT_SECRET: '@gone' } })).toBe('gone: no such file');
    expect(errorOf({ environment: { SVC_JWT_SECRET: '@key' }, files: { key: '' } })).toBe(
      'The JWT secret must be at least 32 characters long.',
    );
  });

  test('O23 reads URL-safe base64, padded with dots, from a file', () => {
    const bytes = Uint8Array.from({ length: 40 }, (_, index) => 215 + index);
    const standard = Buffer.from(bytes).toString('base64');
    const urlSafe = standard.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '.');
    expect(standard).toMatch(/\+.*\/.*=/);
    for (const text of [standard, urlSafe, ` ${urlSafe}\n`]) {
      const environment = { SVC_JWT_SECRET: '@key', SVC_JWT_SECRET_IS_BASE64: 'true' };
      expect(resolved({ environment, files: { key: text } }).jwtSecret).toEqual(bytes);
    }
  });

  test.each(['%%%%', 'YWJj', 'YWJjZ', 'YWJjZA', 'YWJjZA=', 'YW JjZA=='])(
    'O24 decodes or rejects a base64 secret that ends with %j',
    (text) => {
      const environment = { SVC_JWT_SECRET: 'YWJj'.repeat(11) + text, SVC_JWT_SECRET_IS_BASE64: 'true' };
      const isValid = text === 'YWJj';
      expect(errorOf({ environment })).toBe(
        isValid ? undefined : 'jwt-secret: base64 decoding failed: not padded base64',
      );
    },
  );

  test('O25 a passphrase must have at least 32 bytes', () => {
    const message = 'The JWT secret must be at least 32 characters long.';
    expect(errorOf({ environment: { SVC_JWT_SECRET: 'x'.repeat(31) } })).toBe(message);
    expect(secretOf({ SVC_JWT_SECRET: 'é'.repeat(16) })).toBe('é'.repeat(16));
    expect(secretOf({ SVC_JWT_SECRET: '{"keys":[]}' })).toBe('{"keys":[]}');
    expect(errorOf({ environment: { SVC_JWT_SECRET: 'YWJj', SVC_JWT_SECRET_IS_BASE64: 'true' } })).toBe(message);
  });

  test('O21 a connection string from a file is trimmed', () => {
    expect(resolved({ environment: { SVC_DB_URI: '@uri' }, files: { uri: '  postgres://a/b \n\n' } }).dbUri).toBe(
      'postgres://a/b',
    );
    expect(resolved({ environment: { SVC_DB_URI: '@uri' }, files: { uri: ' \n' } }).dbUri).toBe('postgresql://');
    expect(errorOf({ environment: { SVC_DB_URI: '@gone' } })).toBe('gone: no such file');
  });
});
