// Chooses whether to create a second role, whose tokens may change the rows of every table of the schema.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';
import type { ExistingTable } from './existing-tables.ts';
import { type Ask, askOneOf, askUntilValid, askYesOrNo, freeName, type InitOptions, readRole } from './questions.ts';
import { INIT_DEFAULTS } from '../command-line/choices.ts';
import type { TableAccess } from './table-access.ts';

export interface Editor {
  readonly role: string;
  /** Every table of the schema. */
  readonly tables: readonly TableAccess[];
  /** Whether the role may also change tables that are created later. */
  readonly isFutureEditable: boolean;
}

interface EditorChoice {
  readonly ask: Ask | undefined;
  readonly tables: readonly ExistingTable[];
  /** What requests without a token may do: a table that gets a policy for them needs one for the editor. */
  readonly chosen: readonly TableAccess[];
  readonly otherRoles: readonly string[];
  readonly takenRoles: ReadonlySet<string>;
}

/** An error is a message for the user, `undefined` if the input ended. */
export async function chooseEditor(
  { editorRole, future }: InitOptions,
  { ask, tables, chosen, otherRoles, takenRoles }: EditorChoice,
): Promise<Result<Editor | undefined, string | undefined>> {
  const named = await nameEditor(
    editorRole,
    ask,
    freeName(INIT_DEFAULTS.editorRole, new Set([...takenRoles, ...otherRoles])),
  );
  if (!named.ok || named.value === undefined) return named.ok ? ok(undefined) : named;
  const role = named.value;
  if (otherRoles.includes(role))
    return fail(`The editor role needs a name that no other role has, not ${role}. Nothing was done.`);
  const isFutureEditable = future.isEditable || (await askForFuture(role, ask));
  if (isFutureEditable === undefined) return fail(undefined);
  const restricted = new Set(chosen.filter(({ hasPolicy }) => hasPolicy).map(({ table }) => table));
  const access = tables.map((table): TableAccess => ({ table, access: 'write', hasPolicy: restricted.has(table) }));
  return ok({ role, tables: access, isFutureEditable });
}

/** Offers the other roles of a setup for the tables that requests without a token get. */
export async function chooseExtendedEditor(
  others: readonly string[],
  { ask, chosen }: Pick<EditorChoice, 'ask' | 'chosen'>,
): Promise<Result<Editor | undefined, undefined>> {
  const opened = chosen.filter(({ access }) => access !== 'none');
  if (ask === undefined || others.length === 0 || opened.length === 0) return ok(undefined);
  const names = others.map(escapeLine).join(', ');
  const role = await askOneOf(ask, `Role that may also change the rows of these tables: none, ${names}`, [
    'none',
    ...others,
  ]);
  if (role === undefined) return fail(undefined);
  const tables = opened.map(({ table, hasPolicy }): TableAccess => ({ table, access: 'write', hasPolicy }));
  return ok(role === 'none' ? undefined : { role, tables, isFutureEditable: false });
}

async function nameEditor(
  stated: string | undefined,
  ask: Ask | undefined,
  usual: string,
): Promise<Result<string | undefined, undefined>> {
  if (stated !== undefined || ask === undefined) return ok(stated);
  const isWanted = await askYesOrNo(ask, 'Also create a role whose tokens may change the rows of every table?');
  if (isWanted !== true) return isWanted === undefined ? fail(undefined) : ok(undefined);
  const role = await askUntilValid(ask, `Name of that role [${usual}]: `, readRole(usual));
  return role === undefined ? fail(undefined) : ok(role);
}

async function askForFuture(role: string, ask: Ask | undefined): Promise<boolean | undefined> {
  return ask === undefined ? false : askYesOrNo(ask, `Let ${role} also change every table that is created later?`);
}
