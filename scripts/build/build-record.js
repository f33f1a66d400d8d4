// Remembers in `dist` from which sources it was built: a build is needed when their content, or the list of the files that
// were built, is no longer the same.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a build depends on. Some are missing where only a part of the project was copied. */
const SOURCES = [
  'src',
  'explorer',
  'scripts/build',
  'scripts/build.js',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const RECORD = 'dist/.build.json';

/** Returns undefined if `dist` holds what a build would write. */
export function findReasonToBuild(root) {
  const record = path.join(root, RECORD);
  if (!existsSync(record)) return 'no finished build';
  const { sources, outputs } = JSON.parse(readFileSync(record, 'utf8'));
  if (sources !== fingerprintSources(root)) return 'sources changed';
  return outputs === fingerprintOutputs(root) ? undefined : 'built files changed';
}

export function fingerprintSources(root) {
  const hash = createHash('sha256');
  for (const name of SOURCES.flatMap((source) => listFiles(root, source)))
    hash.update(`${name}\0`).update(
      createHash('sha256')
        .update(readFileSync(path.join(root, name)))
        .digest(),
    );
  return hash.digest('hex');
}

/** Until `recordBuild`, the build counts as unfinished. */
export function forgetBuild(root) {
  rmSync(path.join(root, RECORD), { force: true });
}

export function recordBuild(root, sources) {
  writeFileSync(path.join(root, RECORD), JSON.stringify({ sources, outputs: fingerprintOutputs(root) }));
}

function fingerprintOutputs(root) {
  const names = listFiles(root, 'dist').filter((name) => name !== RECORD);
  return createHash('sha256').update(names.join('\0')).digest('hex');
}

/** Sorted, so that the order of the file system does not matter. */
function listFiles(root, source) {
  const place = path.join(root, source);
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [source];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .toSorted();
}
