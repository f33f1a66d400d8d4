// `npm run release` on a repository of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { useFolder } from '../support/use.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/release.js', import.meta.url));
const { findNextVersion } = (await import(new URL('../../scripts/release/next-version.js', import.meta.url).href)) as {
  readonly findNextVersion: (current: string, step: string) => string;
};
const TODAY = /\d{4}-\d\d-\d\d/u;
const FILES = {
  '.gitignore': '.rowhouse/\n',
  'package.json': '{\n  "name": "house",\n  "version": "1.2.3",\n  "dependencies": { "pg": "1.2.3" }\n}\n',
  'package-lock.json':
    '{\n  "version": "1.2.3",\n  "packages": {\n    "": { "version": "1.2.3" },\n    "node_modules/pg": { "version": "1.2.3" }\n  }\n}\n',
  'src/contract/product.ts': `export const PRODUCT = { name: 'house', version: '1.2' };\n`,
  'docs/operations.md': 'npm install house-1.2.3.tgz\n',
  'docs/other.md': 'Since 1.2.3\n',
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n### Added\n\n- A door.\n\n## 1.2.3 - 2020-01-01\n\n- A wall.\n',
};

let root: string;

beforeEach(() => {
  root = useFolder();
  git('init', '--quiet', '--initial-branch', 'main');
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  git('add', '.');
  git('commit', '--quiet', '--message', 'Build a house');
});

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

function read(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}

/** Git without the configuration of whoever runs the tests. */
function environment(): NodeJS.ProcessEnv {
  const person = { NAME: 'Tester', EMAIL: 'tester@example.com' };
  const names = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value] as const),
  );
  return { ...process.env, ...Object.fromEntries(names), GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' };
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', env: environment() }).trim();
}

function release(...args: readonly string[]): { readonly status: number | null; readonly text: string } {
  const run = spawnSync(process.execPath, [SCRIPT, ...args], { cwd: root, encoding: 'utf8', env: environment() });
  return { status: run.status, text: run.stdout + run.stderr };
}

test('a dry run says what would change, and changes nothing', () => {
  const { status, text } = release('minor');
  expect([status, git('status', '--porcelain'), git('tag'), git('log', '--format=%s')]).toEqual([
    0,
    '',
    '',
    'Build a house',
  ]);
  expect(text).toContain('house 1.2.3 → 1.3.0');
  expect(text).toContain('CHANGELOG.md, package-lock.json, package.json, src/contract/product.ts, docs/operations.md');
  expect(text).toContain('- A door.');
  expect(text).toContain('dry run');
});

test('with --yes everything has the new version, and is packed, committed and tagged', () => {
  expect(release('minor', '--yes')).toMatchObject({ status: 0 });
  expect(git('log', '-1', '--format=%s')).toBe('Release 1.3.0');
  expect(git('describe', '--exact-match')).toBe('v1.3.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(existsSync(path.join(root, '.rowhouse/release/house-1.3.0.tgz'))).toBe(true);
  expect(read('package.json')).toBe(FILES['package.json'].replace('1.2.3', '1.3.0'));
  const { packages, version } = JSON.parse(read('package-lock.json')) as {
    readonly version: string;
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  expect([version, packages['']?.version, packages['node_modules/pg']?.version]).toEqual(['1.3.0', '1.3.0', '1.2.3']);
  expect(read('src/contract/product.ts')).toContain(`version: '1.3'`);
  expect(read('docs/operations.md')).toBe('npm install house-1.3.0.tgz\n');
  expect(read('docs/other.md')).toBe(FILES['docs/other.md']);
  expect(read('CHANGELOG.md').replace(TODAY, 'DATE')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 1.3.0 - DATE\n\n### Added\n\n- A door.\n\n## 1.2.3 - 2020-01-01\n\n- A wall.\n',
  );
});

test.each([
  ['patch', '1.2.4'],
  ['major', '2.0.0'],
  ['1.10.0', '1.10.0'],
])('%s leads to %s', (step, version) => {
  expect(findNextVersion('1.2.3', step)).toBe(version);
});

test.each([
  ['an older version', 'is not newer', () => release('1.2.2')],
  ['what is no version', 'is no version', () => release('next')],
  ['a version that is tagged', 'exists already', () => (git('tag', 'v1.2.4'), release('patch'))],
  ['uncommitted changes', 'uncommitted', () => (write('docs/other.md', 'changed'), release('patch'))],
  [
    'no changes',
    'no unreleased changes',
    () => {
      release('patch', '--yes');
      return release('patch', '--yes');
    },
  ],
])('%s: nothing is released', (_, message, run) => {
  const { status, text } = run();
  expect(status).toBe(1);
  expect(text).toContain(message);
});

test('a package that cannot be made leaves everything as it was', () => {
  write('package.json', FILES['package.json'].replace('"dep', '"scripts": { "prepack": "false" },\n  "dep'));
  git('commit', '--quiet', '--all', '--message', 'Break the build');
  expect(release('patch', '--yes').status).toBe(1);
  expect([git('status', '--porcelain'), git('tag'), git('log', '-1', '--format=%s')]).toEqual([
    '',
    '',
    'Break the build',
  ]);
});
