// Runs the command `types`.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, loadFixture, type TestDatabase } from '../../support/database.ts';
import { typeAt } from './generate-types.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await loadFixture(database.uri, fileURLToPath(new URL('library.sql', import.meta.url)));
});
afterAll(() => database?.drop());

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

function runTypes(
  schemas: string,
  ...flags: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = { PATH: process.env['PATH'], SVC_DB_URI: database.uri, SVC_DB_SCHEMAS: schemas };
  return promisify(execFile)(process.execPath, [MAIN, 'types', ...flags], { env });
}
