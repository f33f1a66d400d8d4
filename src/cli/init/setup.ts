// Renders the SQL that prepares a database for the server, and the matching configuration file.
import { quoteConfigText } from '../../config/syntax/config-text.ts';
import { quoteIdentifier, quoteLiteral } from '../../contract/identifiers.ts';
import { renderGrants } from './grants.ts';
import type { TableAccess } from './table-access.ts';

export interface Setup {
  readonly schema: string;
  readonly anonRole: string;
  readonly loginRole: string;
  readonly password: string;
  /** The tables of the schema that nobody could access before. */
  readonly tables: readonly TableAccess[];
  /** Whether requests without a token may read tables that are created later. */
  readonly isFutureReadable: boolean;
}

/** Returns one statement per item. */
export function renderSetup({
  schema,
  anonRole,
  loginRole,
  password,
  tables,
  isFutureReadable,
}: Setup): readonly string[] {
  const [api, anon, login] = [quoteIdentifier(schema), quoteIdentifier(anonRole), quoteIdentifier(loginRole)];
  const makeAnon = `BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = ${quoteLiteral(anonRole)}) THEN
    CREATE ROLE ${anon} NOLOGIN;
    ALTER ROLE ${anon} SET statement_timeout = 5000;
  END IF;
END`;
  return [
    `CREATE ROLE ${login} LOGIN NOINHERIT PASSWORD ${quoteLiteral(password)};`,
    `DO ${quoteLiteral(makeAnon)};`,
    `GRANT ${anon} TO ${login};`,
    // Requires a privilege on the database even if the schema exists.
    ...(tables.length === 0 ? [`CREATE SCHEMA IF NOT EXISTS ${api};`] : []),
    `GRANT USAGE ON SCHEMA ${api} TO ${anon};`,
    ...renderGrants(tables, anon),
    ...(isFutureReadable ? [`ALTER DEFAULT PRIVILEGES IN SCHEMA ${api} GRANT SELECT ON TABLES TO ${anon};`] : []),
  ];
}

interface Connection {
  /** Connects as the login role. */
  readonly uri: string;
  readonly jwtSecret: string;
}

export function renderConfig({ schema, anonRole }: Setup, { uri, jwtSecret }: Connection): string {
  return `db-uri = ${quoteConfigText(uri)}
db-schemas = ${quoteConfigText(schema)}
db-anon-role = ${quoteConfigText(anonRole)}
jwt-secret = ${quoteConfigText(jwtSecret)}
openapi-version = "3.1"

# Listen on this machine only. "!4" listens on every IPv4 address, for a container or a proxy on another machine.
server-host = "127.0.0.1"
server-port = 3000

# Serve the explorer, where people see tables and build requests, to browsers at /.
# server-explorer = true
`;
}

/** Replaces the user of a URI. Returns undefined unless it is a PostgreSQL URI with one host. */
export function changeUser(text: string, user: string, password: string): string | undefined {
  const uri = URL.canParse(text) ? new URL(text) : undefined;
  if (uri === undefined || !/^postgres(?:ql)?:$/u.test(uri.protocol)) return undefined;
  if (uri.hostname === '') {
    // Without a host in the authority, the URI cannot hold a user there either, so both are parameters.
    const parameters = `user=${encodeURIComponent(user)}&password=${encodeURIComponent(password)}`;
    uri.search = uri.search === '' ? parameters : `${uri.search}&${parameters}`;
  } else {
    uri.username = encodeURIComponent(user);
    uri.password = encodeURIComponent(password);
  }
  return uri.href;
}
