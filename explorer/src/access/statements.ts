// SQL that would change what a role may do: text to read and copy, which the explorer never runs.
import { cutToBytes, MAX_IDENTIFIER_BYTES, spellIdentifier } from '../../../src/contract/identifiers.ts';
import type { AccessFunction, AccessRights } from '../../../src/contract/access-document.ts';
import type { Cell, Extent, Operation } from './extent.ts';

export interface Suggestion {
  /** `Allow it`, `Limit it to some rows`. */
  readonly title: string;
  readonly sql: string;
}

export function suggestStatements(cell: Cell, extent: Extent, rights: AccessRights): readonly Suggestion[] {
  const { relation, operation } = cell;
  if (extent.rows === 'none') return [{ title: 'Allow it', sql: [...usageOf(cell), grantOf(cell)].join('\n') }];
  if (extent.rows === 'fails') return suggestReads(rights);
  const columns = extent.columns === undefined ? [] : [{ title: 'Allow all columns', sql: grantOf(cell) }];
  const listed = extent.columns === undefined ? '' : ` (${extent.columns.map(spellIdentifier).join(', ')})`;
  const verb = `REVOKE ${operation.toUpperCase()}${listed} ON ${nameOf(cell)} FROM ${spellIdentifier(cell.role.name)};`;
  return [
    ...columns,
    ...(relation.kind === 'table' ? suggestPolicies(cell, extent) : []),
    { title: 'Forbid it', sql: verb },
  ];
}

function suggestReads({ limits }: AccessRights): readonly Suggestion[] {
  const grants = limits
    .filter(({ isReadable }) => !isReadable)
    .map(({ table, reader }) => `GRANT SELECT ON ${table} TO ${spellIdentifier(reader)};`);
  return [{ title: 'Let the view read its tables', sql: grants.join('\n') }];
}

function suggestPolicies(cell: Cell, { rows, policies }: Extent): readonly Suggestion[] {
  if (cell.role.isSuperuser || cell.role.bypassesRowSecurity) return [];
  const create = renderPolicy(cell);
  if (cell.relation.rowSecurity === 'off') {
    const enable = `ALTER TABLE ${nameOf(cell)} ENABLE ROW LEVEL SECURITY;`;
    const warning = '-- All other roles then need policies as well; without one, they see no rows.';
    return [{ title: 'Limit it to some rows', sql: `${enable}\n${create}\n${warning}` }];
  }
  const drops = policies.map(({ name }) => ({
    title: `Remove the policy ${name}`,
    sql: `DROP POLICY ${spellIdentifier(name)} ON ${nameOf(cell)};`,
  }));
  return [{ title: rows === 'empty' ? 'Allow some rows' : 'Allow more rows', sql: create }, ...drops];
}

interface PolicyTarget extends Pick<Cell, 'schema' | 'role' | 'operation'> {
  readonly relation: { readonly name: string };
}

/** The condition is a stand-in: `true` allows every row. */
export function renderPolicy({ relation, role, operation, schema }: PolicyTarget): string {
  const name = spellIdentifier(cutToBytes(`${operation}_for_${role.name}`, MAX_IDENTIFIER_BYTES));
  const head = `CREATE POLICY ${name} ON ${qualify(schema, relation.name)}`;
  const range = `FOR ${operation.toUpperCase()} TO ${spellIdentifier(role.name)}`;
  return `${head}\n  ${range}\n  ${CLAUSES[operation]}; -- replace true with the condition`;
}

const CLAUSES: Readonly<Record<Operation, string>> = {
  select: 'USING (true)',
  insert: 'WITH CHECK (true)',
  update: 'USING (true) WITH CHECK (true)',
  delete: 'USING (true)',
};

function grantOf(cell: Cell): string {
  return `GRANT ${cell.operation.toUpperCase()} ON ${nameOf(cell)} TO ${spellIdentifier(cell.role.name)};`;
}

function usageOf({ role, schema }: Pick<Cell, 'role' | 'schema'>): readonly string[] {
  return role.hasUsage ? [] : [`GRANT USAGE ON SCHEMA ${spellIdentifier(schema)} TO ${spellIdentifier(role.name)};`];
}

export function suggestForFunction(
  { name, arguments: parameters, roles }: AccessFunction,
  { role, schema }: Pick<Cell, 'role' | 'schema'>,
): readonly Suggestion[] {
  const routine = `FUNCTION ${qualify(schema, name)}(${parameters})`;
  const grantee = spellIdentifier(role.name);
  if (!role.hasUsage || !roles.includes(role.name)) {
    const grant = `GRANT EXECUTE ON ${routine} TO ${grantee};`;
    return [{ title: 'Allow it', sql: [...usageOf({ role, schema }), grant].join('\n') }];
  }
  const note = '-- PUBLIC stands for every role; PostgreSQL grants it EXECUTE on new functions.';
  return [{ title: 'Forbid it', sql: `REVOKE EXECUTE ON ${routine} FROM PUBLIC, ${grantee};\n${note}` }];
}

function nameOf({ schema, relation }: Cell): string {
  return qualify(schema, relation.name);
}

export function qualify(schema: string, name: string): string {
  return `${spellIdentifier(schema)}.${spellIdentifier(name)}`;
}
