// The embedded PostgreSQL of a project: where its data may lie, and starting it.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { loadInstance, saveInstance } from '../../demo/instance.ts';
import { startOnLastPort } from '../../demo/start-demo.ts';
import type { EmbeddedError } from '../../embedded/cluster/embedded-error.ts';
import type { EmbeddedPostgres } from '../../embedded/cluster/embedded-postgres.ts';
import { makeFolder } from '../../embedded/cluster/make-folder.ts';
import { TOOLS_FOLDER } from '../folder/tools-folder.ts';

export interface RunningCluster extends Pick<EmbeddedPostgres, 'uri' | 'stop'> {
  readonly dataFolder: string;
}

/**
 * Returns the folders that can hold the data, in order of preference: PostgreSQL does not run as root, and another user
 * may not be able to enter the folder of the project.
 *
 * @param root of the project
 * @param place below the folder `.rowhouse/` of the project
 */
export function listDataFolders(root: string, place: string): readonly [inProject: string, outside: string] {
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return [path.join(root, TOOLS_FOLDER, place), path.join('/var/lib/rowhouse', digest, place)];
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
  const instance = loadInstance(dataFolder);
  if (!instance.ok) return instance;
  const { superuserPassword: password, port } = instance.value;
  const started = await startOnLastPort(port, { dataFolder, password, settings });
  if (!started.ok) return started;
  const { uri, stop, port: used } = started.value;
  saveInstance(dataFolder, { ...instance.value, port: used });
  return ok({ uri, stop, dataFolder });
}
