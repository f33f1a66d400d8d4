// Renders the SQL that prepares a database for the server, and the matching configuration file.
import { quoteConfigText } from '../../src/config/syntax/config-string.ts';
import { type QualifiedName, quoteLiteral, quoteShownIdentifier } from '../../src/contract/identifiers.ts';
import type { Editor } from './choose-editor.ts';
import type { Access, TableAccess } from './table-access.ts';
import type { ExistingTable } from './existing-tables.ts';

export interface Setup {
  readonly schema: string;
  readonly anonRole: string;
  readonly loginRole: string;
  readonly password: string;
  /** The tables of the schema that nobody could access before. */
  readonly tables: readonly TableAccess[];
  /** What requests without a token may do with tables that are created later. */
  readonly futureAccess: Access;
  readonly editor: Editor | undefined;
}

/** Returns one statement per item. */
export function renderSetup(setup: Setup): readonly string[] {
  const { schema, loginRole, password, tables, editor } = setup;
  const [api, login] = [quoteShownIdentifier(schema), quoteShownIdentifier(loginRole)];
  const roles = listRoles(setup);
  return [
    `CREATE ROLE ${login} LOGIN NOINHERIT PASSWORD ${quoteLiteral(password)};`,
    ...roles.map(({ role }) => renderRole(role)),
    `GRANT ${nameRoles(roles)} TO ${login};`,
    // Requires a privilege on the database even if the schema exists.
    ...(tables.length === 0 && !editor?.tables.length ? [`CREATE SCHEMA IF NOT EXISTS ${api};`] : []),
    ...renderAccess(setup),
  ];
}

/** Grants the roles, which exist, access to the tables. Returns one statement per item. */
export function renderAccess(setup: Setup): readonly string[] {
  const { schema } = setup;
  const roles = listRoles(setup);
  return [
    `GRANT USAGE ON SCHEMA ${quoteShownIdentifier(schema)} TO ${nameRoles(roles)};`,
    ...roles.flatMap(({ role, access }) => renderGrants(access, role)),
    ...renderPolicies(roles),
    ...roles.flatMap(({ role, future }) => renderFutureGrants(schema, role, future)),
  ];
}

function nameRoles(roles: readonly RoleAccess[]): string {
  return roles.map(({ role }) => quoteShownIdentifier(role)).join(', ');
}

/** A role of requests, with its access to existing and to future tables. */
interface RoleAccess {
  readonly role: string;
  readonly access: readonly TableAccess[];
  readonly future: Access;
}

function listRoles({ anonRole, tables, futureAccess, editor }: Setup): readonly RoleAccess[] {
  const anon: RoleAccess = { role: anonRole, access: tables, future: futureAccess };
  if (editor === undefined) return [anon];
  return [anon, { role: editor.role, access: editor.tables, future: editor.isFutureEditable ? 'write' : 'none' }];
}

function renderRole(role: string): string {
  const name = quoteShownIdentifier(role);
  const block = `BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = ${quoteLiteral(role)}) THEN
    CREATE ROLE ${name} NOLOGIN;
    ALTER ROLE ${name} SET statement_timeout = 5000;
  END IF;
END`;
  return `DO ${quoteLiteral(block)};`;
}

/** @param uri connects as the login role */
export function renderConfig({ schema, anonRole }: Setup, uri: string, jwtSecret: string): string {
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

// Renders the grants and policies for the tables of the schema, existing and future ones.

const PRIVILEGES = { read: 'SELECT', write: 'SELECT, INSERT, UPDATE, DELETE' } as const;

/** @returns one statement per item */
export function renderGrants(tables: readonly TableAccess[], role: string): readonly string[] {
  const listed = (wanted: Access): readonly ExistingTable[] =>
    tables.filter(({ access }) => access === wanted).map(({ table }) => table);
  const sequences = listed('write').flatMap((table) => table.sequences.map(quoteTable));
  return [
    ...renderGrant(PRIVILEGES.read, listed('read').map(quoteTable), role),
    ...renderGrant(PRIVILEGES.write, listed('write').map(quoteTable), role),
    ...renderGrant('USAGE', sequences.length === 0 ? [] : [`SEQUENCE ${sequences.join(', ')}`], role),
  ];
}

function renderGrant(privileges: string, objects: readonly string[], role: string): readonly string[] {
  return objects.length === 0
    ? []
    : [`GRANT ${privileges} ON ${objects.join(',\n  ')} TO ${quoteShownIdentifier(role)};`];
}

/** Inserts into a table with a column of type `serial` read its sequence. */
export function renderFutureGrants(schema: string, role: string, access: Access): readonly string[] {
  if (access === 'none') return [];
  const start = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${quoteShownIdentifier(schema)} GRANT`;
  const to = `TO ${quoteShownIdentifier(role)};`;
  return [
    `${start} ${PRIVILEGES[access]} ON TABLES ${to}`,
    ...(access === 'write' ? [`${start} USAGE ON SEQUENCES ${to}`] : []),
  ];
}

interface RolePolicies {
  readonly role: string;
  readonly access: readonly TableAccess[];
}

/** A policy allows what the grant allows; its name says which role it is for. */
function renderPolicies(roles: readonly RolePolicies[]): readonly string[] {
  const policies = roles.flatMap(({ role, access }) =>
    access
      .filter(({ hasPolicy }) => hasPolicy)
      .map(({ table, access: kind }) => ({ table, kind, role: quoteShownIdentifier(role) })),
  );
  const restricted = new Set(policies.map(({ table }) => quoteTable(table)));
  return [
    ...[...restricted].map((name) => `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;`),
    ...policies.map(({ table, kind, role }) => {
      const rule = kind === 'write' ? 'FOR ALL' : 'FOR SELECT';
      return `CREATE POLICY ${role} ON ${quoteTable(table)} ${rule} TO ${role} USING (true);`;
    }),
  ];
}

function quoteTable({ schema, name }: QualifiedName): string {
  return `${quoteShownIdentifier(schema)}.${quoteShownIdentifier(name)}`;
}
