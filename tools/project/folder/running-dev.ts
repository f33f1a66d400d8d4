// What `rowhouse dev` records in `.rowhouse/` while it serves a project, for the commands of the same folder. It contains
// secrets of the development database, so that only its user can read it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../embedded/cluster/postmaster-file.ts';
import { parseJsonObject } from '../../../src/util/json-object.ts';
import { tryOr } from '../../support/thrown.ts';
import { TOOLS_FOLDER } from './tools-folder.ts';

export interface RunningDev {
  /** Superuser connection to the development database, or that of the URI that was given. */
  readonly uri: string;
  /** The key that signs tokens; undefined if an issuer is configured. */
  readonly key: string | undefined;
}

export function recordRunningDev(root: string, dev: RunningDev): void {
  const file = fileOf(root);
  // The mode counts only for a new file.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify({ ...dev, process: process.pid })}\n`, { mode: 0o600 });
}

export function forgetRunningDev(root: string): void {
  rmSync(fileOf(root), { force: true });
}

/** @returns undefined if none runs */
export function readRunningDev(root: string): RunningDev | undefined {
  const { uri, key, process: holder } = parseJsonObject(tryOr(() => readFileSync(fileOf(root), 'utf8'), '')) ?? {};
  if (typeof uri !== 'string' || typeof holder !== 'number' || !isAlive(holder)) return undefined;
  return { uri, key: typeof key === 'string' ? key : undefined };
}

function fileOf(root: string): string {
  return path.join(root, TOOLS_FOLDER, 'dev.json');
}
