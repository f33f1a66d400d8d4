// Which server serves a data folder's database, and how it knows the schema: written when it listens and after each load
// of its schema cache, removed when it ends, read by `rowhouse sql`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './cluster/postmaster-file.ts';

export interface ServedBy {
  /** Of the server. */
  readonly pid: number;
  /** `http://localhost:3000`, without a slash at the end. */
  readonly apiUrl: string;
  readonly database: string;
  readonly schemas: readonly string[];
  /** Whether it finds changes of the schema by itself. */
  readonly isWatching: boolean;
}

const LOAD_TIMEOUT_MS = 20_000;
const PAUSE_MS = 50;

export function noteServer(dataFolder: string, server: ServedBy): void {
  writeFileSync(fileOf(dataFolder), `${JSON.stringify(server)}\n`, { mode: 0o600 });
}

/** @param begun when the load began that the server now answers by, in milliseconds since 1970 */
export function noteLoad(dataFolder: string, begun: number): void {
  try {
    writeFileSync(loadFileOf(dataFolder), String(begun));
  } catch {
    // Somebody has removed the folder. The server goes on; `rowhouse sql` could not use that folder either.
  }
}

export function forgetServer(dataFolder: string): void {
  for (const file of [fileOf(dataFolder), loadFileOf(dataFolder)]) rmSync(file, { force: true });
}

/** Whether the server's schema is younger than that moment, at the latest after 20 seconds. */
export async function awaitLoad(dataFolder: string, moment: number): Promise<boolean> {
  const deadline = performance.now() + LOAD_TIMEOUT_MS;
  while (!(readLoad(dataFolder) > moment)) {
    if (performance.now() > deadline) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

/** Not a number where there is none yet. */
function readLoad(dataFolder: string): number {
  try {
    return Number.parseInt(readFileSync(loadFileOf(dataFolder), 'utf8'), 10);
  } catch {
    return Number.NaN;
  }
}

/** Undefined where none runs. */
export function findServer(dataFolder: string): ServedBy | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(fileOf(dataFolder), 'utf8'));
    return isServedBy(content) && isAlive(content.pid) ? content : undefined;
  } catch {
    return undefined;
  }
}

function isServedBy(content: unknown): content is ServedBy {
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
