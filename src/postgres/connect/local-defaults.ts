// Finds local defaults for a connection string: password file, user name and socket directory.
import { readdir, readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findPassword, type PasswordQuery } from './password-file.ts';

const SOCKET_FOLDERS = ['/var/run/postgresql', '/tmp'];

/** Like libpq, ignores a password file that other users can read. */
export async function readPassword(
  passwordFile: string | undefined,
  query: PasswordQuery,
): Promise<string | undefined> {
  const file = passwordFile ?? path.join(os.homedir(), '.pgpass');
  try {
    const { mode } = await stat(file);
    return (mode & 0o077) === 0 ? findPassword(await readFile(file, 'utf8'), query) : undefined;
  } catch {
    return undefined;
  }
}

export function readUserName(): string | undefined {
  try {
    return os.userInfo().username;
  } catch {
    return undefined;
  }
}

/** Returns the standard directory that contains a server socket, or `localhost`. */
export async function findDefaultHost(): Promise<string> {
  for (const folder of SOCKET_FOLDERS) {
    const names = await readdir(folder).catch(() => []);
    if (names.some((name) => name.startsWith('.s.PGSQL.'))) return folder;
  }
  return 'localhost';
}
