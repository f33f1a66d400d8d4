// The record of the server that serves the database of a data folder. The server writes it when it starts to listen and
// after each schema load, and removes it on exit; `rowhouse sql` reads it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonObject } from '../../src/util/json-object.ts';
import { isAlive } from '../embedded/cluster/postmaster-file.ts';
import { tryOr } from '../support/thrown.ts';

export interface ServerRecord {
  /** The process of the server. */
  readonly pid: number;
  /** `http://localhost:3000`, without a trailing slash. */
  readonly apiUrl: string;
  readonly database: string;
  readonly schemas: readonly string[];
  /** Whether the server detects schema changes. */
  readonly isWatching: boolean;
}

const LOAD_TIMEOUT_MS = 20_000;
const PAUSE_MS = 50;

export function recordServer(dataFolder: string, server: ServerRecord): void {
  writeFileSync(fileOf(dataFolder), `${JSON.stringify(server)}\n`, { mode: 0o600 });
}

/** @param startedAt start of the load that the server now uses, in milliseconds since 1970 */
export function recordLoad(dataFolder: string, startedAt: number): void {
  // If the folder was removed, the server continues; `rowhouse sql` could not use that folder either.
  tryOr(() => writeFileSync(loadFileOf(dataFolder), String(startedAt)), undefined);
}

export function clearServerRecord(dataFolder: string): void {
  for (const file of [fileOf(dataFolder), loadFileOf(dataFolder)]) rmSync(file, { force: true });
}

/** Waits up to 20 seconds until the server has loaded the schema after `moment`. @returns whether it has */
export async function awaitLoad(dataFolder: string, moment: number): Promise<boolean> {
  const deadline = performance.now() + LOAD_TIMEOUT_MS;
  // NaN if there was no load yet.
  const readLoad = (): number =>
    Number.parseInt(
      tryOr(() => readFileSync(loadFileOf(dataFolder), 'utf8'), ''),
      10,
    );
  while (!(readLoad() > moment)) {
    if (performance.now() > deadline) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

/** Returns undefined if no server is running. */
export function findServer(dataFolder: string): ServerRecord | undefined {
  const content = parseJsonObject(tryOr(() => readFileSync(fileOf(dataFolder), 'utf8'), ''));
  return isServerRecord(content) && isAlive(content.pid) ? content : undefined;
}

function isServerRecord(content: unknown): content is ServerRecord {
  if (typeof content !== 'object' || content === null) return false;
  const schemas: unknown = Reflect.get(content, 'schemas');
  const areSchemas = Array.isArray(schemas) && schemas.every((schema) => typeof schema === 'string');
  const texts = [Reflect.get(content, 'apiUrl'), Reflect.get(content, 'database')];
  const isWatching: unknown = Reflect.get(content, 'isWatching');
  return (
    areSchemas &&
    typeof isWatching === 'boolean' &&
    typeof Reflect.get(content, 'pid') === 'number' &&
    texts.every((text) => typeof text === 'string')
  );
}

function fileOf(dataFolder: string): string {
  return path.join(dataFolder, 'server.json');
}

function loadFileOf(dataFolder: string): string {
  return path.join(dataFolder, 'server-load');
}
