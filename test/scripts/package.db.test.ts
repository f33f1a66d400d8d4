// The package that `npm pack` builds from the sources.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { readPacked } from './support/packed.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

// What is built is up to date: npm test builds first.
const text = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT, encoding: 'utf8' });
const packed = readPacked(text);

test('program, library, types and demo are packed', () => {
  const files = packed.files.map((file) => file.path);
  for (const file of ['dist/cli/main.js', 'dist/index.js', 'dist/src/index.d.ts', 'dist/demo/demo.sql', 'README.md'])
    expect(files).toContain(file);
  for (const file of [
    'dist/testing/index.cjs',
    'templates/todo/schema/todos.sql',
    `dist/packages/rowhouse-live-${manifest.version}.tgz`,
    `dist/packages/rowhouse-tanstack-db-${manifest.version}.tgz`,
    'dist/tools/testing/index.d.ts',
    'dist/tools/testing/contract/types.d.ts',
  ])
    expect(files).toContain(file);
  expect(files.filter((file) => /^(?:src|tools|test|scripts|node_modules)\//u.test(file))).toEqual([]);
});

test('links between the packed pages lead to packed files', () => {
  const files = new Set(packed.files.map((file) => file.path));
  const folders = new Set(packed.files.flatMap(({ path: file }) => listFolders(file)));
  const dead = [...files]
    // That page is about the sources.
    .filter((file) => file.endsWith('.md') && file !== 'CONTRIBUTING.md')
    .flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([\w.][^)#\s]*)/gu)]
        .map(([, link = '']) => path.posix.join(path.posix.dirname(page), link))
        .filter((target) => !files.has(target) && !folders.has(target.replace(/\/$/u, '')))
        .map((target) => `${page}: ${target}`),
    );
  expect(dead).toEqual([]);
});

test('the documentation site is packed with its search index, compressed only', () => {
  const files = packed.files.map((file) => file.path).filter((file) => file.startsWith('dist/docs/'));
  expect(files).toEqual(expect.arrayContaining(['dist/docs/index.html.br', 'dist/docs/query-language.html.br']));
  expect(files.filter((file) => /@localSearchIndex.*\.js\.br$/u.test(file))).toHaveLength(1);
  expect(files.filter((file) => /\.(?:html|js|css|json)$/u.test(file))).toEqual([]);
});

test('program and library are packed as bundles, without their separate modules', () => {
  const files = packed.files.map((file) => file.path);
  const programs = files.filter((file) => /^dist\/(?!explorer\/).*\.js$/u.test(file));
  expect(programs.filter((file) => !file.startsWith('dist/chunks/'))).toEqual([
    'dist/cli/main.js',
    'dist/cli/worker.js',
    'dist/index.js',
    'dist/testing/index.js',
    'dist/testing/keeper.js',
  ]);
  // Each tool is loaded by its command only. The sources are more than 800 modules.
  expect(programs.length).toBeLessThan(160);
});

test('the package is small and has descriptive keywords', () => {
  expect(packed.size).toBeLessThan(5_000_000);
  expect(manifest.keywords).toEqual(expect.arrayContaining(['postgresql', 'rest', 'openapi']));
});

/** `a/b/c.md` → `a`, `a/b` */
function listFolders(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
