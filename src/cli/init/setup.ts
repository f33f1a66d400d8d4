// What a server needs in a database → the SQL that makes it, and the configuration file that goes with it.
import { quoteConfigText } from '../../config/syntax/config-text.ts';
import { quoteIdentifier, quoteLiteral } from '../../contract/identifiers.ts';

export interface Setup {
  readonly schema: string;
  readonly anonRole: string;
  readonly loginRole: string;
  readonly password: string;
}

/** One statement each. What is in the schema already stays closed: only its owner knows what may be shown. */
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
  /** As the login role. */
  readonly uri: string;
  readonly jwtSecret: string;
}

export function renderConfig({ schema, anonRole }: Setup, { uri, jwtSecret }: Connection): string {
  const entries = { 'db-uri': uri, 'db-schemas': schema, 'db-anon-role': anonRole, 'jwt-secret': jwtSecret };
  const lines = Object.entries({ ...entries, 'openapi-version': '3.1' });
  return lines.map(([name, value]) => `${name} = ${quoteConfigText(value)}\n`).join('');
}

/** The same database, another user; undefined for what is no URI of PostgreSQL with one host. */
export function changeUser(text: string, user: string, password: string): string | undefined {
  const uri = URL.canParse(text) ? new URL(text) : undefined;
  if (uri === undefined || !/^postgres(?:ql)?:$/u.test(uri.protocol)) return undefined;
  if (uri.hostname === '') {
    // Without a host, its directory is among the parameters, and so is the user.
    const parameters = `user=${encodeURIComponent(user)}&password=${encodeURIComponent(password)}`;
    uri.search = uri.search === '' ? parameters : `${uri.search}&${parameters}`;
  } else {
    uri.username = encodeURIComponent(user);
    uri.password = encodeURIComponent(password);
  }
  return uri.href;
}
