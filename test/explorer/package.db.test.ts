// The explorer in the package: complete, and small enough to load quickly.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = 'dist/explorer';
/** Most of it is loaded only when a view needs it. */
const MAX_BYTES = 360_000;
/** What the start page loads before it can be used, in Brotli. */
const MAX_FIRST_BYTES = 130_000;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => statSync(path.join(FOLDER, name)).isFile())
  .map((name) => path.posix.join(FOLDER, ...name.split(path.sep)));

test('the explorer takes at most 360 kB, compressed', () => {
  const compressed = files.filter((name) => name.endsWith('.gz'));
  expect(compressed).toContain(`${FOLDER}/index.html.gz`);
  expect(compressed.reduce((sum, name) => sum + statSync(name).size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});

test('the first load takes less than 130 kB, compressed with Brotli', () => {
  const page = readFileSync(`${FOLDER}/index.html`, 'utf8');
  const assets = Array.from(page.matchAll(/(?:src|href)="\.\/explorer\/([^"]+)"/gu), ([, name = '']) => name);
  const loaded = ['index.html', ...assets].map((name) => files.find((file) => file.endsWith(`/${name}.br`)) ?? name);
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.reduce((sum, name) => sum + statSync(name).size, 0)).toBeLessThan(MAX_FIRST_BYTES);
});

test('every page, script and style exists in both encodings', () => {
  const plain = files.filter((name) => /\.(?:html|js|css|svg)$/u.test(name));
  expect(plain.length).toBeGreaterThan(1);
  expect(plain.filter((name) => !files.includes(`${name}.gz`) || !files.includes(`${name}.br`))).toEqual([]);
});

test('the package contains all files', () => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
    encoding: 'utf8',
  });
  const [packed] = JSON.parse(listed) as readonly { readonly files: readonly { readonly path: string }[] }[];
  const paths = new Set(packed?.files.map((file) => file.path));
  expect(files.filter((name) => !paths.has(name))).toEqual([]);
});
