// Renders the grants and policies for the tables of the schema, existing and future ones.
import { quoteIdentifier } from '../../src/contract/identifiers.ts';
import type { ExistingTable } from './existing-tables.ts';
import type { Access, TableAccess } from './table-access.ts';

const PRIVILEGES = { read: 'SELECT', write: 'SELECT, INSERT, UPDATE, DELETE' } as const;

/** @returns one statement per item */
export function renderGrants(tables: readonly TableAccess[], role: string): readonly string[] {
  const listed = (wanted: Access): readonly ExistingTable[] =>
    tables.filter(({ access }) => access === wanted).map(({ table }) => table);
  const sequences = listed('write').flatMap((table) => table.sequences);
  return [
    ...renderGrant(PRIVILEGES.read, listed('read').map(quoteTable), role),
    ...renderGrant(PRIVILEGES.write, listed('write').map(quoteTable), role),
    ...renderGrant('USAGE', sequences.length === 0 ? [] : [`SEQUENCE ${sequences.join(', ')}`], role),
  ];
}

function renderGrant(privileges: string, objects: readonly string[], role: string): readonly string[] {
  return objects.length === 0 ? [] : [`GRANT ${privileges} ON ${objects.join(',\n  ')} TO ${quoteIdentifier(role)};`];
}

/** Inserts into a table with a column of type `serial` read its sequence. */
export function renderFutureGrants(
  schema: string,
  { role, access }: { readonly role: string; readonly access: Access },
): readonly string[] {
  if (access === 'none') return [];
  const start = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${quoteIdentifier(schema)} GRANT`;
  const to = `TO ${quoteIdentifier(role)};`;
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
export function renderPolicies(roles: readonly RolePolicies[]): readonly string[] {
  const policies = roles.flatMap(({ role, access }) =>
    access
      .filter(({ hasPolicy }) => hasPolicy)
      .map(({ table, access: kind }) => ({ table, kind, role: quoteIdentifier(role) })),
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

function quoteTable({ schema, name }: ExistingTable): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
