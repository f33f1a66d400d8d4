// Renders the grants and policies for existing tables.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { ExistingTable } from './existing-tables.ts';
import type { TableAccess } from './table-access.ts';

/** @param role the quoted name of the role. @returns one statement per item */
export function renderGrants(tables: readonly TableAccess[], role: string): readonly string[] {
  const readable = tables.filter(({ access }) => access === 'read').map(({ table }) => quoteTable(table));
  const writable = tables.filter(({ access }) => access === 'write').map(({ table }) => table);
  const sequences = writable.flatMap((table) => table.sequences);
  return [
    ...renderGrant('SELECT', readable, role),
    ...renderGrant('SELECT, INSERT, UPDATE, DELETE', writable.map(quoteTable), role),
    ...renderGrant('USAGE', sequences.length === 0 ? [] : [`SEQUENCE ${sequences.join(', ')}`], role),
    ...tables.filter(({ hasPolicy }) => hasPolicy).flatMap((table) => renderPolicy(table, role)),
  ];
}

function renderGrant(privileges: string, objects: readonly string[], role: string): readonly string[] {
  return objects.length === 0 ? [] : [`GRANT ${privileges} ON ${objects.join(',\n  ')} TO ${role};`];
}

/** The policy allows what the grant allows; its name says which role it is for. */
function renderPolicy({ table, access }: TableAccess, role: string): readonly string[] {
  const name = quoteTable(table);
  const rule = access === 'write' ? 'FOR ALL' : 'FOR SELECT';
  return [
    `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;`,
    `CREATE POLICY ${role} ON ${name} ${rule} TO ${role} USING (true);`,
  ];
}

function quoteTable({ schema, name }: ExistingTable): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
