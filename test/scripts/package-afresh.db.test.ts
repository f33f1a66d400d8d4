// Packing a copy of the sources that has been built before, by another version.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPacked } from './support/packed.ts';
import { useFolder } from '../support/use.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const folder = useFolder();

test('packing builds first, and packs nothing of an earlier build', () => {
  const folders = ['src', 'tools', 'explorer', 'scripts', 'docs', 'deploy', 'packages', 'templates'];
  const pages = ['README.md', 'LICENSE', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  for (const name of [...folders, ...pages, 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  mkdirSync(path.join(folder, 'dist'));
  writeFileSync(path.join(folder, 'dist', 'left-over.js'), '');
  const packed = readPacked(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' }));
  const files = packed.files.map((file) => file.path);
  expect(files).toEqual(expect.arrayContaining(['dist/cli/main.js', 'dist/index.js', 'dist/src/index.d.ts']));
  expect(files).not.toContain('dist/left-over.js');
});
