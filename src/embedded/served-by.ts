// Which server serves a data folder's database: written when it listens, removed when it ends, read by `rowhouse sql`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from './postmaster-file.ts';

export interface ServedBy {
  /** Of the server. */
  readonly pid: number;
  /** `http://localhost:3000`, without a slash at the end. */
  readonly apiUrl: string;
  readonly database: string;
  readonly schemas: readonly string[];
}

export function noteServer(dataFolder: string, server: ServedBy): void {
  writeFileSync(fileOf(dataFolder), `${JSON.stringify(server)}\n`, { mode: 0o600 });
}

export function forgetServer(dataFolder: string): void {
  rmSync(fileOf(dataFolder), { force: true });
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
  return (
    areSchemas && typeof Reflect.get(content, 'pid') === 'number' && texts.every((text) => typeof text === 'string')
  );
}

function fileOf(dataFolder: string): string {
  return path.join(dataFolder, 'server.json');
}
