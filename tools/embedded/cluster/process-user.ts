// Chooses the user that runs PostgreSQL. PostgreSQL refuses to run as root, so root switches to another user.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { EmbeddedError } from './embedded-error.ts';

export interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['postgres', '_postgres', 'nobody'] as const;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Returns undefined for the current user. An existing cluster keeps its owner. */
export function resolveProcessUser(clusterFolder: string): Result<ProcessUser | undefined, EmbeddedError> {
  if (!isRoot()) return ok(undefined);
  const owner = existsSync(clusterFolder) ? statSync(clusterFolder) : undefined;
  if (owner !== undefined && owner.uid !== 0) return ok({ uid: owner.uid, gid: owner.gid });
  const users = parsePasswd(readFileSync('/etc/passwd', 'utf8'));
  const name = CANDIDATES.find((candidate) => users.has(candidate));
  const user = name === undefined ? undefined : users.get(name);
  return user === undefined ? fail({ kind: 'noDatabaseUser', tried: CANDIDATES }) : ok(user);
}

/** Returns the first folder on the path to `target`, including `target`, that the user cannot access. */
export function findBarrier(target: string, user: ProcessUser): string | undefined {
  const parent = path.dirname(target);
  const above = parent === target ? undefined : findBarrier(parent, user);
  return above ?? (canEnter(target, user) ? undefined : target);
}

function canEnter(folder: string, user: ProcessUser): boolean {
  const { uid, gid, mode } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === user.gid ? 0o010 : 0o001)) !== 0;
}

function parsePasswd(text: string): ReadonlyMap<string, ProcessUser> {
  const entries = text.split('\n').map((line) => line.split(':'));
  return new Map(entries.map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]));
}
