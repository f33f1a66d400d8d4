// Decides what requests without a token may do with existing tables: by flags.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';
import type { ExistingTable } from './existing-tables.ts';
import { ALL } from '../command-line/choices.ts';

export type Access = 'read' | 'write' | 'none';

export interface TableAccess {
  readonly table: ExistingTable;
  readonly access: Access;
  /** Whether row-level security is enabled, with a policy that allows every row. */
  readonly hasPolicy: boolean;
}

/** Names of tables per flag; `all` stands for those that nobody can access yet. */
export interface AccessFlags {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly policy: readonly string[];
}

/** Returns every table of the schema; without flags, none gets access. An error is a message for the user. */
export function readTableAccess(
  tables: readonly ExistingTable[],
  { read, write, policy }: AccessFlags,
): Result<readonly TableAccess[], string> {
  const unknown = [...read, ...write, ...policy].find(
    (name) => name !== ALL && !tables.some((table) => table.name === name),
  );
  if (unknown !== undefined) return fail(`The schema has no table ${escapeLine(unknown)}. Nothing was done.`);
  const chosen = tables.map((table): TableAccess => {
    const access = isChosen(table, write) ? 'write' : isChosen(table, read) ? 'read' : 'none';
    const isNamedHere = policy.includes(table.name);
    const hasPolicy = access !== 'none' && (isNamedHere || (policy.includes(ALL) && table.canHavePolicies));
    return { table, access, hasPolicy };
  });
  const wrong = chosen.find(({ table, hasPolicy }) => hasPolicy && !table.canHavePolicies);
  const idle = chosen.find(({ table, access }) => access === 'none' && policy.includes(table.name));
  if (wrong !== undefined) return fail(`${escapeLine(wrong.table.name)} is not a table, so it cannot have a policy.`);
  return idle === undefined
    ? ok(chosen)
    : fail(`--policy ${escapeLine(idle.table.name)} requires --read or --write for it.`);
}

function isChosen(table: ExistingTable, names: readonly string[]): boolean {
  return names.includes(table.name) || (names.includes(ALL) && !table.isAccessible);
}
