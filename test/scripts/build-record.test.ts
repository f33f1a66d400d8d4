// When `npm start` and the suites build: only if the sources, or the built files, differ from those of the last build.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useFolder } from '../support/use.ts';

interface BuildRecord {
  readonly PROGRAM: unknown;
  readonly DOCS: unknown;
  readonly findReasonToBuild: (root: string, part: unknown) => string | undefined;
  readonly fingerprintSources: (root: string, part: unknown) => string;
  readonly forgetBuild: (root: string, part: unknown) => void;
  readonly recordBuild: (root: string, part: unknown, sources: string) => void;
}

const SCRIPTS = new URL('../../scripts/build/', import.meta.url).href;
const record = (await import(`${SCRIPTS}build-record.js`)) as BuildRecord;
const { PROGRAM, DOCS } = record;
const { removeStaleOutputs } = (await import(`${SCRIPTS}stale-outputs.js`)) as {
  readonly removeStaleOutputs: (root: string) => void;
};

let root: string;

beforeEach(() => {
  root = useFolder();
  for (const name of ['tools/main.ts', 'tools/demo/demo.sql', 'explorer/index.html', 'package.json']) write(name);
  for (const name of ['dist/cli/main.js', 'dist/cli/main.js.map', 'dist/tools/main.d.ts', 'dist/demo/demo.sql'])
    write(name);
  record.recordBuild(root, PROGRAM, record.fingerprintSources(root, PROGRAM));
});

function write(name: string, text = name): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

function remove(name: string): void {
  rmSync(path.join(root, name), { recursive: true });
}

test('no build is needed while nothing changes, and after a change is undone', () => {
  expect(record.findReasonToBuild(root, PROGRAM)).toBeUndefined();
  write('tools/main.ts', 'changed');
  expect(record.findReasonToBuild(root, PROGRAM)).toBe('sources changed');
  write('tools/main.ts');
  expect(record.findReasonToBuild(root, PROGRAM)).toBeUndefined();
});

test.each([
  ['a new source', () => write('explorer/src/new.tsx')],
  ['a deleted source', () => remove('tools/main.ts')],
  ['a renamed source', () => renameSync(path.join(root, 'tools/demo'), path.join(root, 'tools/trial'))],
  ['other packages', () => write('package-lock.json')],
])('%s leads to a build', (_, change) => {
  change();
  expect(record.findReasonToBuild(root, PROGRAM)).toBe('sources changed');
});

test('so do deleted and foreign files in dist', () => {
  write('dist/foreign.js');
  expect(record.findReasonToBuild(root, PROGRAM)).toBe('built files changed');
  remove('dist/foreign.js');
  remove('dist/cli/main.js');
  expect(record.findReasonToBuild(root, PROGRAM)).toBe('built files changed');
});

test('program and documentation are built separately', () => {
  write('docs/start.md');
  write('dist/docs/start.html');
  expect(record.findReasonToBuild(root, PROGRAM)).toBeUndefined();
  expect(record.findReasonToBuild(root, DOCS)).toBe('no finished build');
  record.recordBuild(root, DOCS, record.fingerprintSources(root, DOCS));
  expect(record.findReasonToBuild(root, DOCS)).toBeUndefined();
  write('tools/main.ts', 'changed');
  expect(record.findReasonToBuild(root, DOCS)).toBeUndefined();
  write('docs/start.md', 'changed');
  expect(record.findReasonToBuild(root, DOCS)).toBe('sources changed');
});

test('a build that did not finish counts for nothing', () => {
  record.forgetBuild(root, PROGRAM);
  expect(record.findReasonToBuild(root, PROGRAM)).toBe('no finished build');
  remove('dist');
  expect(record.findReasonToBuild(root, PROGRAM)).toBe('no finished build');
});

test('a build removes what it would not write', () => {
  for (const name of ['dist/old.js', 'dist/src/old/deep.d.ts', 'dist/cli/old.js.map', 'dist/chunks/a-1.js'])
    write(name);
  write('dist/explorer/index.html');
  removeStaleOutputs(root);
  const isThere = (name: string): boolean => existsSync(path.join(root, 'dist', name));
  expect(['old.js', 'src', 'cli/old.js.map'].filter(isThere)).toEqual([]);
  const kept = ['cli/main.js', 'cli/main.js.map', 'tools/main.d.ts', 'demo/demo.sql', 'chunks/a-1.js', 'explorer'];
  expect(kept.filter((name) => !isThere(name))).toEqual([]);
});
