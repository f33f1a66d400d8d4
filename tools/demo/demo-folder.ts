// Chooses the data folder of the demo. A clone keeps its data inside, so that both are deleted together. All installed
// packages of a user share one folder. Root uses a system folder, because PostgreSQL then runs as another user, who may
// not be able to access the clone or the home folder.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { EmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { isOwnFolder, makeFolder } from '../embedded/cluster/make-folder.ts';
import { IS_CLONE, PACKAGE_ROOT } from '../support/own-command.ts';
import { isRoot } from '../embedded/cluster/process-user.ts';
import { messageOf } from '../support/thrown.ts';

/** Returns `chosen` (`ROWHOUSE_DATA`) or the first writable candidate, after creating it if missing. */
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

export interface FolderEnvironment {
  readonly isClone: boolean;
  readonly isRoot: boolean;
  /** `XDG_DATA_HOME` and `LOCALAPPDATA` may specify the folder for user data. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Lists candidates in the order they are tried. */
export function listCandidates(
  { isClone, isRoot: runsAsRoot, environment }: FolderEnvironment = {
    isClone: IS_CLONE,
    isRoot: isRoot(),
    environment: process.env,
  },
): readonly string[] {
  const name = isClone ? createHash('sha256').update(PACKAGE_ROOT).digest('hex').slice(0, 12) : 'data';
  const shared = path.join(os.tmpdir(), `rowhouse-${process.getuid?.() ?? 0}-${name}`);
  // Another user may have created that folder.
  const temporary = existsSync(shared) && !isOwnFolder(shared) ? [] : [shared];
  if (runsAsRoot) return [`/var/lib/rowhouse/${name}`, ...temporary];
  const inClone = isClone ? [path.join(PACKAGE_ROOT, '.rowhouse', 'data')] : [];
  return [...inClone, path.join(findDataHome(environment), 'rowhouse', name), ...temporary];
}

/** Ignores relative paths: https://specifications.freedesktop.org/basedir-spec/latest/ */
function findDataHome(environment: FolderEnvironment['environment']): string {
  const stated =
    environment['XDG_DATA_HOME'] ?? (process.platform === 'win32' ? environment['LOCALAPPDATA'] : undefined);
  return stated !== undefined && path.isAbsolute(stated) ? stated : path.join(os.homedir(), '.local', 'share');
}

function findRefusal(folder: string): string | undefined {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
