// What requests need to know of the copies of a template, kept for the processes that follow: reading the catalog takes
// longer than most tests.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { makeFolder } from '../../embedded/cluster/make-folder.ts';
import type { Project } from '../../project/folder/read-project.ts';
import { locateKeptApis } from '../cluster/cluster-rules.ts';
import type { Template } from '../cluster/template.ts';
import type { LoadedApi } from './test-service.ts';

/** Contains no configuration, since that may contain secrets. */
export interface KeptApi extends Pick<LoadedApi, 'roleSettings' | 'catalog'> {
  /** Those of the configuration, or the default. */
  readonly schemas: LoadedApi['config']['dbSchemas'];
}

/**
 * Returns the file for a template and a configuration.
 *
 * @param config for any database, which is not part of what is kept
 */
export function locateKeptApi(
  { root }: Pick<Project, 'root'>,
  { name, oid }: Template,
  config: LoadedApi['config'],
): string {
  const digest = createHash('sha256').update(serialize(config)).digest('hex').slice(0, 12);
  return path.join(locateKeptApis(root), `${name}-${oid}-${process.version}-${digest}`);
}

/** @returns undefined if there is none */
export function readKeptApi(file: string): KeptApi | undefined {
  try {
    const kept: unknown = deserialize(readFileSync(file));
    return isKept(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is KeptApi {
  if (typeof value !== 'object' || value === null) return false;
  const isComplete = 'roleSettings' in value && 'catalog' in value && 'schemas' in value;
  return isComplete && value.roleSettings instanceof Map && Array.isArray(value.schemas);
}

/** Keeps nothing if the database has settings of the API: they are read each time. */
export function writeKeptApi(file: string, { config, own, roleSettings, catalog }: LoadedApi): void {
  if (!serialize(config).equals(serialize(own))) return;
  makeFolder(path.dirname(file));
  const kept: KeptApi = { roleSettings, catalog, schemas: config.dbSchemas };
  const written = `${file}.${process.pid}`;
  writeFileSync(written, serialize(kept), { mode: 0o600 });
  renameSync(written, file);
}
