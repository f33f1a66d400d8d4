// For scripts that run what is built: a build takes place only if the sources have changed.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findReasonToBuild } from './build-record.js';
import { ROOT } from './root.js';

const BUILD = fileURLToPath(new URL('../build.js', import.meta.url));

/** Builds if the sources have changed since the last build, and says so. Ends the process if the build fails. */
export function ensureBuilt() {
  const reason = findReasonToBuild(ROOT);
  if (reason === undefined) return;
  process.stderr.write(`Building (${reason}) ...\n`);
  // The standard output belongs to the program that runs after the build.
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
