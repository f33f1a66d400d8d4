// Test runners without configuration, and the tests of the templates: each in a project as `rowhouse new` writes it, with
// the built package.
import { execFile, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeProject } from '../../../tools/new/write-project.ts';
import { until } from '../../support/until.ts';
import { useFolders } from '../project/folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const createFolder = useFolders();

function createProject(template: Parameters<typeof writeProject>[1]): string {
  const folder = createFolder({});
  expect(writeProject(folder, template, { kind: 'registry', version: '0.0.0' })).toEqual({ ok: true });
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(ROOT, path.join(folder, 'node_modules/rowhouse'));
  return folder;
}

interface Ended {
  readonly code: number | string;
  readonly output: string;
}

function run(folder: string, args: readonly string[]): Promise<Ended> {
  // The variables of Vitest would reach the runners.
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env: { PATH, HOME } }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

describe.each([
  ['todo', 3],
  ['chat', 3],
  ['tenants', 3],
  ['tasks-live', 6],
] as const)('the template %s', (template, count) => {
  test('P32a B100 its own tests pass with node:test', async () => {
    const { code, output } = await run(createProject(template), ['--test']);
    expect([code, output.includes(`\n# pass ${count}\n`)], output).toEqual([0, true]);
  });
});

describe('the template shop', () => {
  const folder = createProject('shop');

  test('P38a its tests and those of the docs pass with node:test, each file in a process', async () => {
    const blocks = [...readFileSync(path.join(ROOT, 'docs/testing.md'), 'utf8').matchAll(/^```js\n([^]*?)^```$/gmu)];
    expect(blocks).toHaveLength(5);
    writeFileSync(path.join(folder, 'tests/docs.test.js'), blocks.map(([, code]) => code).join('\n'));
    const { code, output } = await run(folder, ['--test']);
    expect([code, /^# pass 7$/mu.test(output)], output).toEqual([0, true]);
  });

  test('P38b they run in Vitest, and a failure shows what differs', async () => {
    rmSync(path.join(folder, 'tests'), { recursive: true });
    mkdirSync(path.join(folder, 'tests'));
    symlinkSync(path.join(ROOT, 'node_modules/vitest'), path.join(folder, 'node_modules/vitest'));
    for (const name of ['one', 'two']) writeFileSync(path.join(folder, `tests/${name}.test.js`), VITEST_FILE);
    const { code, output } = await run(folder, [VITEST, 'run', '--no-color']);
    expect([code, output.includes('2 failed'), output.includes('2 passed')], output).toEqual([1, true, true]);
    expect(output).toContain('  orders  web_user  select  none      1');
  });
});

test('P38c node --test --watch runs the tests again after a save of SQL', { timeout: 180_000 }, async () => {
  const folder = createProject('todo');
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['--test', '--watch'], { cwd: folder, env: { PATH, HOME } });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const runs = (): number => output.split('a todo is added, done, and counted').length - 1;
  try {
    await until(() => runs() > 0, { seconds: 90, why: () => output });
    const before = runs();
    appendFileSync(path.join(folder, 'schema/todos.sql'), '-- saved');
    await until(() => runs() > before, { seconds: 60, why: () => output });
  } finally {
    child.kill();
  }
});

const VITEST_FILE = `
import { expect, test } from 'vitest';
import { expectAccess, openProject } from 'rowhouse/testing';
const project = await openProject();
test('reads', project.test(async (as) => {
  expect((await as({ role: 'web_user', sub: 'ann' }).get('/orders?select=id')).rows).toStrictEqual([{ id: 1 }]);
}));
test('differs', project.test((as, session) =>
  expectAccess(session, { orders: { web_user: { claims: { sub: 'ann' }, select: 'none' } } })));
`;
