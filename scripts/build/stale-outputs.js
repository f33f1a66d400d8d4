// Removes from `dist` what was built from sources that no longer exist.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Emptied by the steps that write them, because names in them change with the content; or written by another build. */
const EMPTIED = /^(?:\.docs\.json|chunks|docs|explorer)(?:\/|$)/u;

export function removeStaleOutputs(root) {
  const outputs = path.join(root, 'dist');
  for (const entry of readdirSync(outputs, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(outputs, file).split(path.sep).join('/');
    if (!EMPTIED.test(name) && !hasSource(root, name)) rmSync(file, { recursive: true, force: true });
  }
}

/** `a.js`, `a.js.map` and `a.d.ts` are compiled from `a.ts`; folders and other files are in `src` by the same name. */
function hasSource(root, name) {
  const compiled = name.replace(/\.(?:js|js\.map|d\.ts)$/u, '.ts');
  return [compiled, name].some((source) => existsSync(path.join(root, 'src', source)));
}
