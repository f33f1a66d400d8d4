// For scripts that run what is built: a build takes place only if the sources have changed.
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { DOCS, findReasonToBuild, PROGRAM } from './build-record.js';
import { ROOT } from './root.js';

const BUILD_PROGRAM = [fileURLToPath(new URL('../build.js', import.meta.url)), '--program'];
const BUILD_DOCS = [fileURLToPath(new URL('../docs.js', import.meta.url))];

/** Builds if the sources have changed since the last build, and says so. Ends the process if the build fails. */
export function ensureBuilt() {
  ensure(PROGRAM, BUILD_PROGRAM, 'Building');
}

/** The same for the documentation site. */
export function ensureDocsBuilt() {
  ensure(DOCS, BUILD_DOCS, 'Building the documentation');
}

/** Does not wait: the server offers the site as soon as it is there. Removes the old one, whose files it would remember. */
export function buildDocsInBackground() {
  if (findReasonToBuild(ROOT, DOCS) === undefined) return;
  rmSync(path.join(ROOT, 'dist/docs'), { recursive: true, force: true });
  spawn(process.execPath, BUILD_DOCS, { stdio: 'ignore' }).unref();
}

function ensure(part, command, doing) {
  const reason = findReasonToBuild(ROOT, part);
  if (reason === undefined) return;
  process.stderr.write(`${doing} (${reason}) ...\n`);
  // The standard output belongs to the program that runs after the build.
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
