// Runs the command `types`.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, loadFixture } from '../../support/database.ts';
import { typeAt } from './generate-types.ts';
import { use } from '../../support/use.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

const database = await use(createDatabase());
await loadFixture(database.uri, fileURLToPath(new URL('library.sql', import.meta.url)));

test('writes the types to standard output and nothing else', async () => {
  const { stdout, stderr } = await runTypes('api');
  expect(stdout).toBe(await readFile(new URL('generated/library.ts', import.meta.url), 'utf8'));
  expect(stderr).toBe('');
});

test('with --exact-functions, arguments and results include null where PostgreSQL allows it', async () => {
  const { stdout } = await runTypes('api', '--exact-functions');
  expect(typeAt(stdout, 'api', 'Functions', 'count_pages')).toBe('{ Args: never; Returns: number | null; }');
  expect(typeAt(stdout, 'api', 'Functions', 'statistics')).toBe(
    '{ Args: { minimum?: number | null; }; Returns: Array<{ author: string | null; books: number | null; }>; }',
  );
});

test('fails if a schema does not exist', async () => {
  const failed = { code: 1, stdout: '', stderr: expect.stringContaining('3F000') as string };
  await expect(runTypes('nowhere')).rejects.toMatchObject(failed);
});

describe('in the folder of a project', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-types-'));
    await mkdir(path.join(folder, 'schema'));
    await writeFile(path.join(folder, 'schema', 'tables.sql'), 'create table gift (id int primary key);');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    });

  test('without an operand, the types are those of the folder', { timeout: 180_000 }, async () => {
    const [plain, named] = [await run(['types']), await run(['types', '.'])];
    expect(plain.stdout).toContain('gift: {');
    expect(plain).toEqual(named);
  });

  test('a database that the environment names is used instead', async () => {
    const { stdout } = await run(['types'], { SVC_DB_URI: database.uri, SVC_DB_SCHEMAS: 'api' });
    expect(stdout).toBe(await readFile(new URL('generated/library.ts', import.meta.url), 'utf8'));
  });

  test('doctor names the command that examines the folder', async () => {
    await expect(run(['doctor'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /No option names a database: run .* doctor postgres:\/\/USER@HOST\/DATABASE, or .* check for the SQL files of this folder\n$/u,
      ) as string,
    });
  });
});

function runTypes(
  schemas: string,
  ...flags: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = { PATH: process.env['PATH'], SVC_DB_URI: database.uri, SVC_DB_SCHEMAS: schemas };
  return promisify(execFile)(process.execPath, [MAIN, 'types', ...flags], { env });
}
