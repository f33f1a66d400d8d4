// Handles the file of a Unix socket: checks whether a server listens on it and removes a stale one (`operating.md`
// §11.2).
import { existsSync, lstatSync, unlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';

/** Resolves to true if no process accepts connections; a stale file may exist. */
export function isSocketFree(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', () => resolve(true));
  });
}

/** Removes the stale socket of an earlier process, but never another kind of file. */
export function removeSocketFile(path: string): Result<undefined, string> {
  // Node would report a missing directory as a missing permission.
  if (!existsSync(dirname(path))) return fail(`listen ENOENT: no such file or directory ${path}`);
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) return ok(undefined);
    if (!status.isSocket()) return fail(`${path} exists and is not a socket`);
    unlinkSync(path);
    return ok(undefined);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

export function isSocketFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
}
