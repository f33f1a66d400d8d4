// Finds local defaults for a connection string: password file, user name and socket directory.
import { readdir, readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

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

interface PasswordQuery {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * Finds the password for a connection in the text of a libpq password file: that of the first matching line.
 * https://www.postgresql.org/docs/current/libpq-pgpass.html
 */
export function findPassword(text: string, query: PasswordQuery): string | undefined {
  // `localhost` also matches Unix sockets.
  const hosts = query.host.startsWith('/') ? [query.host, 'localhost'] : [query.host];
  const criteria = [hosts, [String(query.port)], [query.database], [query.user]];
  for (const line of text.split(/\r?\n/)) {
    const fields = line.startsWith('#') ? [] : splitFields(line);
    if (fields.length <= criteria.length) continue;
    if (criteria.every((values, index) => ['*', ...values].includes(fields[index] ?? ''))) {
      return fields.slice(criteria.length).join(':');
    }
  }
  return undefined;
}

/** Splits at colons; `\:` and `\\` escape the literal characters. */
function splitFields(line: string): readonly string[] {
  const fields = [''];
  for (let offset = 0; offset < line.length; offset += 1) {
    const character = line.charAt(offset);
    if (character === ':') {
      fields.push('');
      continue;
    }
    if (character === '\\') offset += 1;
    fields[fields.length - 1] += character === '\\' ? line.charAt(offset) : character;
  }
  return fields;
}
