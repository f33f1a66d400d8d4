// Copies clusters: `initdb` takes ten times as long. `global-setup.ts` keeps a new one to copy for the run.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Prepares a data folder for `startEmbeddedPostgres`, without a password.
 *
 * @param source a data folder whose PostgreSQL has stopped
 * @returns `target`
 */
export function copyCluster(source: string, target: string): string {
  mkdirSync(target, { recursive: true });
  // Not cpSync: the files may belong to another user than the one who runs the tests.
  execFileSync('cp', ['-a', path.join(source, 'pgdata'), target]);
  rmSync(path.join(target, 'pgdata/postmaster.opts'), { force: true });
  return target;
}
