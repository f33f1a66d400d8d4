import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createConfigReader } from '../../../src/service/configuration/read-config.ts';
import type { AppConfig } from '../../../src/config/table/app-config.ts';
import type { ConfigError } from '../../../src/config/resolve/resolve-config.ts';
import type { Result } from '../../../src/contract/result.ts';
import { useFolder } from '../../support/use.ts';

const folder = useFolder();

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

function read(
  file: string | undefined,
  environment: Record<string, string | undefined> = {},
): Result<AppConfig, ConfigError> {
  return createConfigReader({ file, environment })(new Map(), undefined);
}

test('O11 a file may contain relative imports, variables and references to other files', async () => {
  await write('sub/leaf.conf', 'db-max-rows = 9\napp.settings.token = "$(TOKEN)"');
  const secret = await write('secret', 'é'.repeat(16));
  const uri = await write('uri', ' postgres://a/b\n');
  const main = await write('main.conf', `import "sub/leaf.conf"\njwt-secret = "@${secret}"\n`);
  const config = read(main, { TOKEN: 'abc', SVC_DB_URI: `@${uri}`, SVC_DB_POOL: undefined });
  expect(config.ok && config.value).toMatchObject({
    dbMaxRows: 9,
    appSettings: [['token', 'abc']],
    jwtSecret: new TextEncoder().encode('é'.repeat(16)),
    dbUri: 'postgres://a/b',
    dbPool: 10,
  });
});

test('O5 an empty configuration is valid', () => {
  expect(read(undefined).ok).toBe(true);
});

test('the role path is normalized', () => {
  const config = read(undefined, { SVC_JWT_ROLE_CLAIM_KEY: '.a.b' });
  expect(config.ok && config.value.jwtRoleClaimKey).toBe('."a"."b"');
});

test('the file is read again each time', async () => {
  const file = await write('changing.conf', 'db-max-rows = 1\ndb-pool = 1');
  const readConfig = createConfigReader({ file, environment: {} });
  const first = readConfig(new Map(), undefined);
  await write('changing.conf', 'db-max-rows = 2\ndb-pool = 2');
  const second = readConfig(new Map(), first.ok ? first.value : undefined);
  expect(second.ok && second.value).toMatchObject({ dbMaxRows: 2, dbPool: 1 });
});

test('O37 files that cannot be read are reported', async () => {
  const missing = path.join(folder, 'missing');
  const text = `${missing}: openFile: does not exist (No such file or directory)`;
  expect(read(missing)).toEqual({ ok: false, error: { message: `Error in config ${text}` } });
  expect(read(undefined, { SVC_JWT_SECRET: `@${missing}` })).toEqual({ ok: false, error: { message: text } });
  expect(read(folder)).toEqual({
    ok: false,
    error: { message: `Error in config ${folder}: openFile: inappropriate type (Is a directory)` },
  });
  const latin = await write('latin.conf', Uint8Array.of(0x23, 0xe9));
  expect(read(latin)).toEqual({
    ok: false,
    error: { message: `Error in config ${latin}: openFile: invalid byte sequence (not UTF-8)` },
  });
});

test('a byte order mark is ignored', async () => {
  const config = read(await write('marked.conf', '\uFEFFdb-max-rows = 4'));
  expect(config.ok && config.value.dbMaxRows).toBe(4);
});

test('a public key in PEM is rejected in either dialect: it would be a publicly known secret', async () => {
  const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
  const secret = await write('public.pem', String(pem));
  for (const dialect of ['svc', 'postgrest'] as const)
    expect(
      createConfigReader({
        file: undefined,
        dialect,
        environment: { SVC_JWT_SECRET: `@${secret}`, PGRST_JWT_SECRET: `@${secret}` },
      })(new Map(), undefined),
    ).toEqual({
      ok: false,
      error: {
        message: 'The JWT secret is a key in PEM format, which is not supported. Convert it to a JSON Web Key.',
      },
    });
});
