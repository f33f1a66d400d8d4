// Parses a connection URI without its scheme (`user:password@host1:1,host2:2/database?key=value`). Pure.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
import { fail, ok, type Result } from '../../contract/result.ts';

type Pairs = Map<string, string>;

/** Error text, or `undefined` if the part is valid. */
type Fault = string | undefined;

export function parseConnectionUri(text: string): Result<Pairs, string> {
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
