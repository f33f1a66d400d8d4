// The built program and library.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const FILES = ['index.js', 'cli/main.js', 'cli/worker.js'].concat(
  readdirSync(path.join(DIST, 'chunks'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `chunks/${name}`),
);

test('V8 keeps the text of every bundled module in one byte per character', () => {
  expect(FILES.length).toBeGreaterThan(10);
  const wide = FILES.filter((file) => /[^\0-\x7f]/u.test(readFileSync(path.join(DIST, file), 'utf8')));
  expect(wide).toEqual([]);
});

test('stack traces name functions, and a source map leads to their lines', () => {
  const texts = FILES.map((file) => readFileSync(path.join(DIST, file), 'utf8'));
  const withCode = texts.filter((text) => text.includes('function '));
  expect(withCode.some((text) => text.includes('function handleRequest('))).toBe(true);
  expect(withCode.filter((text) => !text.includes('//# sourceMappingURL='))).toEqual([]);
});
