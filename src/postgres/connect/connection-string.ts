// Parses a libpq connection string (URI or key=value pairs) into libpq parameters. Pure.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
import { fail, ok, type Result } from '../../contract/result.ts';

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
  const fault = findSchemeFault(text);
  if (fault !== undefined) return fail(fault);
  const scheme = URI_SCHEMES.find((prefix) => text.startsWith(prefix));
  const parsed = scheme === undefined ? parseKeywordValues(text) : parseConnectionUri(text.slice(scheme.length));
  if (!parsed.ok) return parsed;
  for (const name of parsed.value.keys()) {
    if (!KNOWN_PARAMETERS.has(name)) return fail(`invalid connection option "${name}"`);
  }
  return ok(parsed.value);
}

/** Returns an error if the text is a URI of another kind, which some drivers accept. */
export function findSchemeFault(text: string): string | undefined {
  if (URI_SCHEMES.some((prefix) => text.startsWith(prefix))) return undefined;
  const wrongScheme = /^\s*[^\s=:/@]*:(?:\/\/)?/u.exec(text)?.[0];
  // Never quote text after the colon: it may be a password.
  return wrongScheme && `a connection URI begins with postgres://, not with ${wrongScheme}`;
}

const SPACE = /[ \t\n\r\f\v]/;

interface Token {
  readonly value: string;
  readonly end: number;
}

/**
 * Parses a connection string of key=value pairs (`host=a port='5432'`). Pure.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-KEYWORD-VALUE
 */
function parseKeywordValues(text: string): Result<Map<string, string>, string> {
  const pairs = new Map<string, string>();
  let offset = skipSpace(text, 0);
  while (offset < text.length) {
    let end = offset;
    while (end < text.length && text[end] !== '=' && !SPACE.test(text.charAt(end))) end += 1;
    const keyword = { value: text.slice(offset, end), end };
    offset = skipSpace(text, keyword.end);
    // Do not quote the word: it may be the second half of an unquoted password.
    if (text[offset] !== '=') return fail('missing "=" after an option of the connection string');
    offset = skipSpace(text, offset + 1);
    const value = text[offset] === "'" ? readQuoted(text, offset + 1) : readBare(text, offset);
    if (value === undefined) return fail('unterminated quoted string in the connection string');
    pairs.set(keyword.value, value.value);
    offset = skipSpace(text, value.end);
  }
  return ok(pairs);
}

function skipSpace(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && SPACE.test(text.charAt(offset))) offset += 1;
  return offset;
}

function readBare(text: string, from: number): Token {
  let value = '';
  let offset = from;
  while (offset < text.length && !SPACE.test(text.charAt(offset))) {
    if (text[offset] === '\\') offset += 1;
    value += text.charAt(offset);
    offset += 1;
  }
  return { value, end: offset };
}

function readQuoted(text: string, from: number): Token | undefined {
  let value = '';
  let offset = from;
  while (offset < text.length) {
    if (text[offset] === "'") return { value, end: offset + 1 };
    if (text[offset] === '\\') offset += 1;
    value += text.charAt(offset);
    offset += 1;
  }
  return undefined;
}

type Pairs = Map<string, string>;

/** Error text, or `undefined` if the part is valid. */
type Fault = string | undefined;

/**
 * Parses a connection URI without its scheme (`user:password@host1:1,host2:2/database?key=value`). Pure.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
function parseConnectionUri(text: string): Result<Pairs, string> {
  const pairs: Pairs = new Map();
  const { userInfo, rest } = splitUserInfo(text);
  const queryStart = rest.indexOf('?');
  const location = queryStart < 0 ? rest : rest.slice(0, queryStart);
  const query = queryStart < 0 ? '' : rest.slice(queryStart + 1);
  const slash = location.indexOf('/');
  const authority = slash < 0 ? location : location.slice(0, slash);
  const database = slash < 0 ? '' : location.slice(slash + 1);
  const fault =
    findRawDelimiter(authority, database) ??
    addUserInfo(pairs, userInfo) ??
    addHosts(pairs, authority) ??
    addDecoded(pairs, 'dbname', database) ??
    addQuery(pairs, query);
  return fault === undefined ? ok(pairs) : fail(fault);
}

/** The first `@` ends the user part unless a `/` precedes it, so a password may contain an unescaped `?`. */
function splitUserInfo(text: string): { readonly userInfo: string; readonly rest: string } {
  const end = text.search(/[@/]/);
  if (end < 0 || text[end] !== '@') return { userInfo: '', rest: text };
  return { userInfo: text.slice(0, end), rest: text.slice(end + 1) };
}

/** Rejects unescaped delimiters in a password: its parts would appear as host names and ports in error messages. */
function findRawDelimiter(authority: string, database: string): Fault {
  if (authority.includes('@')) return describeRawDelimiter('@', '%40');
  const hasOddPort = authority.split(',').some((entry) => /^[^[\]]*:.*\D/u.test(entry) || /\]:.*\D/u.test(entry));
  if (!hasOddPort) return undefined;
  return database.includes('@') ? describeRawDelimiter('/', '%2F') : 'the port in the connection URI is not a number';
}

function describeRawDelimiter(delimiter: string, escaped: string): string {
  return `the password in the connection URI contains "${delimiter}", which must be written as ${escaped}`;
}

function addUserInfo(pairs: Pairs, userInfo: string): Fault {
  const colon = userInfo.indexOf(':');
  if (colon < 0) return addDecoded(pairs, 'user', userInfo);
  return (
    addDecoded(pairs, 'user', userInfo.slice(0, colon)) ?? addDecoded(pairs, 'password', userInfo.slice(colon + 1))
  );
}

function addHosts(pairs: Pairs, authority: string): Fault {
  const hosts: string[] = [];
  const ports: string[] = [];
  for (const entry of authority.split(',')) {
    const match = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(.*))?$/.exec(entry);
    if (match === null) return 'a host of the connection URI has brackets that do not enclose an IPv6 address';
    hosts.push(match[1] ?? match[2] ?? '');
    ports.push(match[3] ?? '');
  }
  return addDecoded(pairs, 'host', hosts.join(',')) ?? addDecoded(pairs, 'port', trimCommas(ports.join(',')));
}

/** A list without any port leaves the port to the environment. */
function trimCommas(list: string): string {
  return /^,*$/.test(list) ? '' : list;
}

function addQuery(pairs: Pairs, query: string): Fault {
  if (query === '') return undefined;
  for (const item of query.split('&')) {
    const equals = item.indexOf('=');
    if (equals < 0) return 'missing "=" in the query of the connection URI';
    const name = decodePercent(item.slice(0, equals));
    const value = decodePercent(item.slice(equals + 1));
    if (name === undefined || value === undefined) return invalidEncoding(item.slice(0, equals));
    // Spelling used by other drivers; libpq accepts it too.
    if (name === 'ssl' && value === 'true') pairs.set('sslmode', 'require');
    else pairs.set(name, value);
  }
  return undefined;
}

function addDecoded(pairs: Pairs, name: string, encoded: string): Fault {
  if (encoded === '') return undefined;
  const value = decodePercent(encoded);
  if (value === undefined) return invalidEncoding(name);
  pairs.set(name, value);
  return undefined;
}

function decodePercent(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Never includes the value: it may be the password. */
function invalidEncoding(name: string): string {
  return `invalid percent-encoding of "${name}" in the connection URI`;
}

/**
 * Returns the servers in a connection string for logs and metrics, such as `replica.example.org:5432`, and nothing
 * else.
 */
export function nameServers(connectionString: string): string {
  const parameters = parseConnectionString(connectionString);
  if (!parameters.ok) return 'unknown';
  const hosts = parameters.value.get('host') || parameters.value.get('hostaddr') || 'localhost';
  const ports = (parameters.value.get('port') || '5432').split(',');
  return hosts
    .split(',')
    .map((host, index) => `${host}:${ports[index] ?? ports[0] ?? ''}`)
    .join(',');
}
