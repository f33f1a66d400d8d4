// Parses a libpq connection string (URI or key=value pairs) into libpq parameters. Pure.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
import { fail, ok, type Result } from '../../contract/result.ts';
import { parseConnectionUri } from './connection-uri.ts';
import { parseKeywordValues } from './keyword-values.ts';

export type ConnectionParameters = ReadonlyMap<string, string>;

const URI_SCHEMES = ['postgresql://', 'postgres://'];

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'host',
  'hostaddr',
  'port',
  'dbname',
  'user',
  'password',
  'passfile',
  'application_name',
  'fallback_application_name',
  'client_encoding',
  'options',
  'connect_timeout',
  'target_session_attrs',
  'load_balance_hosts',
  'keepalives',
  'keepalives_idle',
  'keepalives_interval',
  'keepalives_count',
  'tcp_user_timeout',
  'sslmode',
  'sslnegotiation',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslrootcert',
  'sslcrl',
  'sslcompression',
  'sslsni',
  'ssl_min_protocol_version',
  'ssl_max_protocol_version',
  'channel_binding',
  'gssencmode',
]);

/**
 * Parses a connection string. If a parameter occurs twice, the last one wins (`operating.md` §6.2). The error is a
 * single line for the operator.
 */
export function parseConnectionString(text: string): Result<ConnectionParameters, string> {
  const scheme = URI_SCHEMES.find((prefix) => text.startsWith(prefix));
  const wrongScheme = scheme === undefined ? /^\s*[^\s=:/@]*:(?:\/\/)?/u.exec(text)?.[0] : undefined;
  // Never quote text after the colon: it may be a password.
  if (wrongScheme !== undefined) return fail(`a connection URI begins with postgres://, not with ${wrongScheme}`);
  const parsed = scheme === undefined ? parseKeywordValues(text) : parseConnectionUri(text.slice(scheme.length));
  if (!parsed.ok) return parsed;
  for (const name of parsed.value.keys()) {
    if (!KNOWN_PARAMETERS.has(name)) return fail(`invalid connection option "${name}"`);
  }
  return ok(parsed.value);
}
