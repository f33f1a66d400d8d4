import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listCandidates, resolveDemoFolder } from '../../../tools/demo/demo-folder.ts';
import { useFolder } from '../../support/use.ts';

const HOME = path.join(os.homedir(), '.local', 'share');
const INSTALLED = { isClone: false, isRoot: false, environment: {} };

test('all installations of a user share one data folder', () => {
  expect(listCandidates(INSTALLED)[0]).toBe(path.join(HOME, 'rowhouse', 'data'));
  expect(listCandidates({ ...INSTALLED, environment: { XDG_DATA_HOME: '/data/me' } })[0]).toBe(
    '/data/me/rowhouse/data',
  );
  expect(listCandidates({ ...INSTALLED, environment: { XDG_DATA_HOME: 'relative' } })[0]).toBe(
    path.join(HOME, 'rowhouse', 'data'),
  );
  expect(listCandidates({ ...INSTALLED, isRoot: true })[0]).toBe('/var/lib/rowhouse/data');
});

test('a clone has its own data folder', () => {
  const clone = path.resolve(import.meta.dirname, '../../..');
  expect(listCandidates({ ...INSTALLED, isClone: true })[0]).toBe(path.join(clone, '.rowhouse', 'data'));
  expect(listCandidates({ ...INSTALLED, isClone: true, isRoot: true })[0]).toMatch(
    /^\/var\/lib\/rowhouse\/[\da-f]{12}$/u,
  );
});

test.runIf(process.platform === 'linux')('a folder that cannot be created is an error, not an endless loop', () => {
  expect(resolveDemoFolder('/proc/rowhouse/data')).toMatchObject({ ok: false, error: { kind: 'folderUnusable' } });
});

test('ROWHOUSE_DATA overrides the candidates', () => {
  const folder = useFolder();
  expect(resolveDemoFolder(path.join(folder, 'mine'))).toEqual({ ok: true, value: path.join(folder, 'mine') });
});
