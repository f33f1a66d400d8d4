// Finds the password for a connection in the text of a libpq password file.
// https://www.postgresql.org/docs/current/libpq-pgpass.html

export interface PasswordQuery {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** Returns the password of the first matching line, or `undefined`. */
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
