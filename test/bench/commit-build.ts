// Builds a commit of this repository in a folder of its own, to compare with.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface CommitBuild {
  readonly folder: string;
  remove(): void;
}

/** The packages are those of the current checkout. */
export function buildCommit(commit: string): CommitBuild {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-against-'));
  const folder = path.join(parent, 'checkout');
  const remove = (): void => {
    rmSync(parent, { recursive: true, force: true });
    execFileSync('git', ['worktree', 'prune']);
  };
  try {
    // The standard output belongs to the report.
    const stdio = ['ignore', 'ignore', 'inherit'] as const;
    execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { stdio: [...stdio] });
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    // Every commit has this script; those that build the documentation with it, too, know the option.
    execFileSync('npm', ['run', '--silent', 'build', '--', '--program'], { cwd: folder, stdio: [...stdio] });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}
