// The programs of packages, to be run by Node on every platform.
import { createRequire } from 'node:module';
import path from 'node:path';

export const COMPILER = findProgram('typescript', 'bin/tsc');
export const VITE = findProgram('vite', 'bin/vite.js');

function findProgram(name, file) {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return path.join(path.dirname(manifest), file);
}
