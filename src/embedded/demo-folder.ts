// Chooses where the demo keeps its data: with the clone where possible, so that the data go when the clone goes; for root
// in a system folder, because PostgreSQL then runs as another user, who may not be able to enter the clone.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, ok, type Result } from '../contract/result.ts';
import type { EmbeddedError } from './embedded-error.ts';
import { isOwnFolder, makeFolder } from './make-folder.ts';
import { isRoot } from './process-user.ts';

const PACKAGE_ROOT = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));

/** `ROWHOUSE_DATA`, or the first candidate that can be written to; it is made when missing. */
export function resolveDemoFolder(chosen: string | undefined): Result<string, EmbeddedError> {
  const candidates = chosen === undefined || chosen === '' ? listCandidates() : [path.resolve(chosen)];
  const refusals: string[] = [];
  for (const folder of candidates) {
    const refusal = findRefusal(folder);
    if (refusal === undefined) return ok(folder);
    refusals.push(refusal);
  }
  return fail({ kind: 'folderUnusable', folder: candidates.join(', '), details: refusals.join('; ') });
}

function listCandidates(): readonly string[] {
  const clone = createHash('sha256').update(PACKAGE_ROOT).digest('hex').slice(0, 12);
  const shared = path.join(os.tmpdir(), `rowhouse-data-${process.getuid?.() ?? 0}-${clone}`);
  // Anybody may have made that one before us.
  const temporary = existsSync(shared) && !isOwnFolder(shared) ? [] : [shared];
  if (isRoot()) return [`/var/lib/rowhouse/${clone}`, ...temporary];
  const home = path.join(os.homedir(), '.local', 'share', 'rowhouse', clone);
  const isInstalled = PACKAGE_ROOT.split(path.sep).includes('node_modules');
  return [...(isInstalled ? [] : [path.join(PACKAGE_ROOT, '.rowhouse', 'data')]), home, ...temporary];
}

function findRefusal(folder: string): string | undefined {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
