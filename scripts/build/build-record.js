// Remembers in `dist` from which sources it was built: a build is needed when their content, or the list of the files that
// were built, is no longer the same. The program (with the explorer) and the documentation are built separately.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Those that `rowhouse new` writes into projects. Their own `dist` is no source. */
export const BROWSER_PACKAGES = ['packages/live', 'packages/tanstack-db'];

/** `sources` are what a build depends on. Some are missing where only a part of the project was copied. */
export const PROGRAM = {
  sources: [
    'src',
    'tools',
    'explorer',
    ...BROWSER_PACKAGES.flatMap((folder) => [`${folder}/src`, `${folder}/package.json`, `${folder}/README.md`]),
    'scripts/build',
    'scripts/build.js',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ],
  record: '.build.json',
  owns: (name) => name !== '.docs.json' && !name.startsWith('docs/'),
};

export const DOCS = {
  sources: ['docs', 'README.md', 'scripts/docs', 'package-lock.json'],
  record: '.docs.json',
  owns: (name) => name.startsWith('docs/'),
};

/** Returns undefined if `dist` holds what a build would write. */
export function findReasonToBuild(root, part) {
  const record = recordOf(root, part);
  if (!existsSync(record)) return 'no finished build';
  const { sources, outputs } = JSON.parse(readFileSync(record, 'utf8'));
  if (sources !== fingerprintSources(root, part)) return 'sources changed';
  return outputs === fingerprintOutputs(root, part) ? undefined : 'built files changed';
}

export function fingerprintSources(root, { sources }) {
  const hash = createHash('sha256');
  for (const name of sources.flatMap((source) => listFiles(root, source)))
    hash.update(`${name}\0`).update(
      createHash('sha256')
        .update(readFileSync(path.join(root, name)))
        .digest(),
    );
  return hash.digest('hex');
}

/** Until `recordBuild`, the build counts as unfinished. */
export function forgetBuild(root, part) {
  rmSync(recordOf(root, part), { force: true });
}

export function recordBuild(root, part, sources) {
  mkdirSync(path.dirname(recordOf(root, part)), { recursive: true });
  writeFileSync(recordOf(root, part), JSON.stringify({ sources, outputs: fingerprintOutputs(root, part) }));
}

function recordOf(root, { record }) {
  return path.join(root, 'dist', record);
}

function fingerprintOutputs(root, { owns, record }) {
  const names = listFiles(root, 'dist').map((name) => name.slice('dist/'.length));
  const outputs = names.filter((name) => owns(name) && name !== record);
  return createHash('sha256').update(outputs.join('\0')).digest('hex');
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
