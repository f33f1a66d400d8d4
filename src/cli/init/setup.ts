// Renders the SQL that prepares a database for the server, and the matching configuration file.
import { quoteConfigText } from '../../config/syntax/config-text.ts';
import { quoteIdentifier, quoteLiteral } from '../../contract/identifiers.ts';

export interface Setup {
  readonly schema: string;
  readonly anonRole: string;
  readonly loginRole: string;
  readonly password: string;
}

/** Returns one statement per item. Existing tables get no grants: only their owner knows which may be exposed. */
export function renderSetup({ schema, anonRole, loginRole, password }: Setup): readonly string[] {
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
    `CREATE SCHEMA IF NOT EXISTS ${api};`,
    `GRANT USAGE ON SCHEMA ${api} TO ${anon};`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${api} GRANT SELECT ON TABLES TO ${anon};`,
  ];
}

interface Connection {
  /** Connects as the login role. */
  readonly uri: string;
  readonly jwtSecret: string;
}

export function renderConfig({ schema, anonRole }: Setup, { uri, jwtSecret }: Connection): string {
  const entries = { 'db-uri': uri, 'db-schemas': schema, 'db-anon-role': anonRole, 'jwt-secret': jwtSecret };
  const lines = Object.entries({ ...entries, 'openapi-version': '3.1' });
  return lines.map(([name, value]) => `${name} = ${quoteConfigText(value)}\n`).join('');
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
