// The configuration as the admin server shows it: complete and without secrets.
import { expect, test } from 'vitest';
import { PUBLIC_OPTION_KEYS } from '../../src/config/table/options.ts';
import { listShownOptions } from '../../src/service/configuration/shown-options.ts';
import { resolved } from '../support/resolve-text.ts';

const SECRET = 'never-to-be-shown-to-anyone-at-all';

function shown(file: string): ReturnType<typeof listShownOptions> {
  return listShownOptions(resolved({ file }));
}

test('lists every option and whether it differs from the default', () => {
  const options = shown('db-pool = 3');
  expect(options).toHaveLength(PUBLIC_OPTION_KEYS.length);
  expect(options.find(({ name }) => name === 'db-pool')).toEqual({
    name: 'db-pool',
    value: '3',
    isSecret: false,
    isDefault: false,
  });
  expect(options.find(({ name }) => name === 'db-schemas')).toEqual({
    name: 'db-schemas',
    value: 'public',
    isSecret: false,
    isDefault: true,
  });
  expect(options.find(({ name }) => name === 'db-max-rows')?.value).toBeUndefined();
});

test.each([
  ['db-uri', `db-uri = "postgres://gate:${SECRET}@localhost/shop"`],
  ['db-uri', `db-uri = "host=localhost password=${SECRET}"`],
  ['db-uri', `db-uri = "postgres://localhost/shop?password=${SECRET}&sslpassword=${SECRET}"`],
  ['jwt-secret', `jwt-secret = "${SECRET}"`],
  ['app.settings.key', `app.settings.key = "${SECRET}"`],
])('shows only that %s is set', (name, file) => {
  const options = shown(file);
  expect(options.find((option) => option.name === name)).toEqual({ name, isSecret: true, isDefault: false });
  expect(JSON.stringify(options)).not.toContain(SECRET);
});

test('shows that a secret is not set', () => {
  const option = shown('').find(({ name }) => name === 'jwt-secret');
  expect(option).toEqual({ name: 'jwt-secret', value: undefined, isSecret: false, isDefault: true });
});

test('shows URLs without user and password', () => {
  const options = shown(`server-cors-allowed-origins = "https://a:${SECRET}@a.example, https://b.example"`);
  const { value } = options.find(({ name }) => name === 'server-cors-allowed-origins')!;
  expect(value).toBe('https://a.example,https://b.example');
});
