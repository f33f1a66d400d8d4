// The copy of the PostgreSQL binaries for a database user who cannot access the originals.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  copyDistribution,
  prepareDistribution,
  resolveBinaries,
} from '../../../tools/embedded/cluster/postgres-binaries.ts';
import { findBarrier } from '../../../tools/embedded/cluster/process-user.ts';
import { useFolder } from '../../support/use.ts';

const STRANGER = { uid: 64999, gid: 64999 };
let folder: string;
let source: string;
let target: string;

beforeEach(() => {
  folder = useFolder();
  source = path.join(folder, 'home', 'native');
  target = path.join(folder, 'copies', 'postgres-18');
  mkdirSync(path.join(source, 'bin'), { recursive: true });
  mkdirSync(path.join(source, 'lib'));
  writeFileSync(path.join(source, 'bin', 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 18.4"\n', {
    mode: 0o700,
  });
  writeFileSync(path.join(source, 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 });
  writeFileSync(path.join(source, 'lib', 'libpq.a'), 'not needed to run');
  const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
  writeFileSync(path.join(source, 'pg-symlinks.json'), JSON.stringify([link]));
});

test('the barrier is the first folder that the user cannot access', () => {
  expect(findBarrier(path.join(source, 'bin'), STRANGER)).toBeUndefined();
  chmodSync(path.join(folder, 'home'), 0o700);
  expect(findBarrier(path.join(source, 'bin'), STRANGER)).toBe(path.join(folder, 'home'));
});

test('an accessible distribution runs in place, with its links restored', () => {
  expect(prepareDistribution(source, [target], STRANGER)).toBe(source);
  expect(readFileSync(path.join(source, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
  expect(existsSync(target)).toBe(false);
});

test('an inaccessible distribution runs from a copy that is readable by all and writable only by its owner', () => {
  chmodSync(path.join(folder, 'home'), 0o700);
  mkdirSync(path.dirname(target), { mode: 0o711 });
  expect(prepareDistribution(source, [target], STRANGER)).toBe(target);
  expect(readFileSync(path.join(target, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
  expect(statSync(path.join(target, 'bin', 'postgres')).mode & 0o777).toBe(0o755);
  expect(statSync(path.join(target, 'lib', 'libpq.so.5.18')).mode & 0o777).toBe(0o644);
  expect(existsSync(path.join(target, 'lib', 'libpq.a'))).toBe(false);
});

test('a copy is reused', () => {
  expect(copyDistribution(source, target)).toBe(true);
  const before = lstatSync(path.join(target, 'bin', 'postgres')).ino;
  expect(copyDistribution(source, target)).toBe(true);
  expect(lstatSync(path.join(target, 'bin', 'postgres')).ino).toBe(before);
});

test.each<readonly [what: string, plant: () => void]>([
  ['writable by others', (): void => plantFolder(0o777)],
  ['that is a symbolic link', (): void => plantLink()],
])('a folder %s is not trusted', (_, plant) => {
  chmodSync(path.join(folder, 'home'), 0o700);
  plant();
  expect(copyDistribution(source, target)).toBe(false);
  const spare = path.join(folder, 'spare');
  expect(prepareDistribution(source, [target, spare], STRANGER)).toBe(spare);
});

function plantFolder(mode: number): void {
  mkdirSync(path.join(target, 'bin'), { recursive: true });
  chmodSync(target, mode);
}

function plantLink(): void {
  mkdirSync(path.dirname(target));
  symlinkSync(source, target);
}

test('for binaries that cannot run, the error contains their output', async () => {
  const binFolder = path.join(source, 'bin');
  expect(await resolveBinaries(binFolder, undefined)).toEqual({
    ok: true,
    value: { binFolder, version: 'postgres (PostgreSQL) 18.4', majorVersion: '18' },
  });
  writeFileSync(path.join(binFolder, 'postgres'), '#!/bin/sh\necho "no such library" >&2\nexit 127\n');
  expect(await resolveBinaries(binFolder, undefined)).toEqual({
    ok: false,
    error: { kind: 'binariesUnusable', binFolder, details: 'no such library' },
  });
});
