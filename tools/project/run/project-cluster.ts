// Starts the embedded PostgreSQL of a project.
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { startInstance } from '../../demo/start-demo.ts';
import type { EmbeddedError } from '../../embedded/cluster/embedded-error.ts';
import type { EmbeddedPostgres } from '../../embedded/cluster/embedded-postgres.ts';
import { makeFolder } from '../../embedded/cluster/make-folder.ts';

export interface RunningCluster extends Pick<EmbeddedPostgres, 'uri' | 'stop'> {
  readonly dataFolder: string;
}

/** Starts the PostgreSQL of the first of the folders that its user can enter. */
export async function startCluster(
  [inProject, outside]: readonly [inProject: string, outside: string],
  settings: Readonly<Record<string, string>>,
): Promise<Result<RunningCluster, EmbeddedError>> {
  const started = await startIn(inProject, settings);
  return !started.ok && started.error.kind === 'folderNotEnterable' ? startIn(outside, settings) : started;
}

async function startIn(
  dataFolder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Result<RunningCluster, EmbeddedError>> {
  try {
    makeFolder(dataFolder);
  } catch (error) {
    return fail({ kind: 'folderUnusable', folder: dataFolder, details: String(error) });
  }
  const started = await startInstance(dataFolder, settings);
  if (!started.ok) return started;
  const { uri, stop } = started.value.postgres;
  return ok({ uri, stop, dataFolder });
}
