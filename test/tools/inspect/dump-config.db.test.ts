// The output of `--dump-config` is a valid configuration file whose dump is identical.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Options } from '../../support/local-server.ts';
import { runProgram, type SpawnOptions } from '../../support/spawned-server.ts';
import { useFolder } from '../../support/use.ts';

const NO_DATABASE: Options = { 'db-config': false };

const folder = useFolder();

async function dump(file?: string, spawnOptions: SpawnOptions = {}): Promise<string> {
  const args = file === undefined ? [] : [await write(file)];
  const { code, stdout, stderr } = await runProgram(['--dump-config', ...args], spawnOptions);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

async function write(text: string): Promise<string> {
  const file = path.join(folder, 'test.conf');
  await writeFile(file, text);
  return file;
}

/** Uncomments the options that the example leaves commented out. */
function uncomment(example: string, prefix: string): string {
  return example.replaceAll(new RegExp(`^# (?=${prefix})`, 'gmu'), '');
}

function readVariables(example: string): Record<string, string> {
  const lines = example.split('\n').filter((line) => line.startsWith('SVC_'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Converts the statements into the settings that they would make in the database. */
function readSettings(example: string): Record<string, string> {
  const lines = [...example.matchAll(/^ALTER ROLE authenticator SET svc\.(\w+) = '(.*)';$/gmu)];
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [`SVC_${name.toUpperCase()}`, value]));
}

describe('examples', () => {
  test.each([
    ['as is', (text: string): string => text],
    ['with every option set', (text: string): string => uncomment(text, '[a-z.-]+ =')],
  ])('O52 O63 the dump of the example file, %s, dumps as itself', async (_, complete) => {
    const { stdout } = await runProgram(['--example']);
    const first = await dump(complete(stdout), { options: NO_DATABASE });
    expect(first.split('\n').length).toBeGreaterThan(45);
    expect(await dump(first)).toBe(first);
  });

  test.each([
    ['as is', (text: string): string => text],
    ['with every option set', (text: string): string => uncomment(text, 'SVC_')],
  ])('O63 the dump of the example environment, %s, dumps as itself', async (_, complete) => {
    const { stdout } = await runProgram(['--example-env']);
    const environment = { ...readVariables(complete(stdout)), SVC_DB_CONFIG: 'false' };
    const first = await dump(undefined, { environment });
    // The number of processes would otherwise be that of the tests.
    expect(await dump(first, { options: { 'server-workers': null } })).toBe(first);
  });

  test('O63 the dump of the database example dumps as itself', async () => {
    const { stdout } = await runProgram(['--example-db']);
    const environment = readSettings(stdout.replaceAll(/^-- (?=ALTER)/gmu, ''));
    expect(environment).toHaveProperty('SVC_DB_SCHEMAS');
    const first = await dump(undefined, { environment, options: NO_DATABASE });
    expect(await dump(first)).toBe(first);
  });
});

test('O6 O63 under an ASCII locale, non-ASCII text is still UTF-8 in the file and in the dump', async () => {
  const ascii = { environment: { LC_ALL: 'C', LANG: 'C' } };
  const first = await dump('db-config = false\ndb-schemas = "høfn"\napp.settings.motto = "grüß 港 😀"\n', ascii);
  expect(first).toContain('app.settings.motto = "grüß 港 😀"\n');
  expect(first).toContain('db-schemas = "høfn"\n');
  expect(await dump(first, ascii)).toBe(first);
});

test('O63 the dump of a binary secret or a secret from a file can be read back', async () => {
  await writeFile(path.join(folder, 'secret'), 'line one $(HOME)\nline "two" of the secret\n');
  const bytes = Buffer.from(Array.from({ length: 40 }, (_, index) => (index * 37) % 256)).toString('base64');
  for (const options of [
    { 'jwt-secret': bytes, 'jwt-secret-is-base64': true },
    { 'jwt-secret': `@${path.join(folder, 'secret')}` },
  ]) {
    const first = await dump(undefined, { options: { ...NO_DATABASE, ...options } });
    expect(await dump(first)).toBe(first);
  }
});
