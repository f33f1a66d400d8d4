// Stores the passwords, token secret and port of a data folder next to the database. Created on the first start,
// readable by the owner only.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { parseJsonObject } from '../../src/util/json-object.ts';
import type { EmbeddedError } from '../embedded/cluster/embedded-error.ts';
import { tryOr } from '../support/thrown.ts';

export interface Instance {
  readonly superuserPassword: string;
  readonly authenticatorPassword: string;
  readonly jwtSecret: string;
  /** Port of the last run, reused if possible so that addresses stay the same. */
  readonly port: number | undefined;
}

export function loadInstance(dataFolder: string): Result<Instance, EmbeddedError> {
  const file = path.join(dataFolder, 'instance.json');
  if (existsSync(file)) return readInstance(file);
  if (existsSync(path.join(dataFolder, 'pgdata'))) {
    return fail({ kind: 'folderUnusable', folder: file, details: 'it is missing, and the passwords with it' });
  }
  const instance = {
    superuserPassword: makeSecret(),
    authenticatorPassword: makeSecret(),
    jwtSecret: makeSecret(),
    port: undefined,
  };
  saveInstance(dataFolder, instance);
  return ok(instance);
}

export function saveInstance(dataFolder: string, instance: Instance): void {
  const file = path.join(dataFolder, 'instance.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(instance, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readInstance(file: string): Result<Instance, EmbeddedError> {
  const { superuserPassword, authenticatorPassword, jwtSecret, port } =
    parseJsonObject(tryOr(() => readFileSync(file, 'utf8'), '')) ?? {};
  if (
    typeof superuserPassword !== 'string' ||
    typeof authenticatorPassword !== 'string' ||
    typeof jwtSecret !== 'string'
  )
    return fail({ kind: 'folderUnusable', folder: file, details: 'it is damaged, and the passwords are lost' });
  return ok({ superuserPassword, authenticatorPassword, jwtSecret, port: typeof port === 'number' ? port : undefined });
}

/** Returns 43 characters that need no escaping in a URI. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
