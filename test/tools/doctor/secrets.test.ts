// Weak secrets, and secret files that others can read.
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkFiles, checkSecret, findSecretFiles } from '../../../tools/check/doctor/secrets.ts';
import { useFolder } from '../../support/use.ts';

const folder = useFolder();

function listCodes(secret: string): readonly string[] {
  return checkSecret(Buffer.from(secret)).map(({ level, lint }) => `${level} ${lint}`);
}

test.each([
  'a passphrase of at least 32 characters',
  'secretsecretsecretsecretsecretsecret',
  'reallyreallyreallyreallyverysafe',
  '12345678901234567890123456789012',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'correct horse battery staple maybe',
  'correct-horse-battery-staple-maybe',
  'my-super-secret-jwt-signing-key-2024!!',
  'x'.repeat(64),
])('%j is weak', (secret) => {
  expect(listCodes(secret)).toEqual(['error weak-secret']);
});

test.each(['hex', 'base64', 'base64url', 'latin1'] as const)('32 random bytes in %s are strong', (encoding) => {
  for (let round = 0; round < 100; round += 1) expect(listCodes(randomBytes(32).toString(encoding))).toEqual([]);
});

test('16 random bytes in hexadecimal are strong, and public keys are not checked', () => {
  for (let round = 0; round < 100; round += 1) expect(listCodes(randomBytes(16).toString('hex'))).toEqual([]);
  expect(listCodes('{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}')).toEqual([]);
  expect(checkSecret(undefined)).toEqual([]);
});

test.runIf(process.platform !== 'win32')('reports files with secrets that others can read', async () => {
  const [config, secret] = [path.join(folder, "it's.conf"), path.join(folder, 'secret')];
  await writeFile(config, 'db-uri = "postgres://gate:pass@127.0.0.1/x"\n');
  await writeFile(secret, 'whatever');
  await chmod(config, 0o640);
  await chmod(secret, 0o604);
  const location = { file: config, environment: { SVC_JWT_SECRET: `@${secret}` } };
  const found = checkFiles(findSecretFiles(location));
  expect(found.map(({ level, object, fix }) => [level, object, fix])).toEqual([
    ['warning', config, String.raw`chmod 600 '${folder}/it'\''s.conf'`],
    ['error', secret, `chmod 600 '${secret}'`],
  ]);
  await chmod(config, 0o600);
  await chmod(secret, 0o600);
  expect(checkFiles(findSecretFiles(location))).toEqual([]);
});

test.runIf(process.platform !== 'win32')('accepts a readable file without secrets', async () => {
  const config = path.join(folder, 'open.conf');
  await writeFile(config, 'db-uri = "postgres://gate@127.0.0.1/x"\njwt-secret = "@/dev/null"\n', { mode: 0o644 });
  expect(findSecretFiles({ file: config, environment: {} })).toEqual([]);
});
