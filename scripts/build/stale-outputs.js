// Removes from `dist` what was built from sources that no longer exist.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Emptied by the steps that write them, because names in them change with the content; or written by another build. */
const EMPTIED = /^(?:\.docs\.json|chunks|docs|explorer|packages)(?:\/|$)/u;

/** Bundles and assets, whose sources have other names. */
const BUILT =
  /^(?:cli(?:\/(?:main|worker)\.js(?:\.map)?)?|index\.js(?:\.map)?|testing(?:\/(?:(?:index|keeper)\.js(?:\.map)?|index\.cjs))?|demo(?:\/demo\.sql)?)$/u;

export function removeStaleOutputs(root) {
  const outputs = path.join(root, 'dist');
  for (const entry of readdirSync(outputs, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(outputs, file).split(path.sep).join('/');
    if (!EMPTIED.test(name) && !BUILT.test(name) && !hasSource(root, name))
      rmSync(file, { recursive: true, force: true });
  }
}

/** `src/a.js`, `src/a.js.map` and `src/a.d.ts` are compiled from `src/a.ts`; folders have the names of their sources. */
function hasSource(root, name) {
  const compiled = name.replace(/\.(?:js|js\.map|d\.ts)$/u, '.ts');
  return [compiled, name].some((source) => existsSync(path.join(root, source)));
}
