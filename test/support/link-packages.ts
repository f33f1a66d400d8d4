// The packages that the page of a template imports, without npm: those of this repository, and as they are packed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKED = path.join(ROOT, 'dist/packages');

/** @param folder of a project; the folder above it has nothing else */
export function linkPackages(folder: string): void {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(path.dirname(folder), 'node_modules'));
  for (const file of readdirSync(PACKED)) {
    const [, name = ''] = /^rowhouse-(.*)-[\d.]+\.tgz$/u.exec(file) ?? [];
    const place = path.join(folder, 'node_modules/@rowhouse', name);
    mkdirSync(place, { recursive: true });
    execFileSync('tar', ['-xzf', path.join(PACKED, file), '--strip-components=1', '-C', place]);
  }
}
