// Chooses the schema to serve and what the roles of the API may do with its existing and future tables.
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';
import { describeFailure } from '../support/describe-failure.ts';
import { type ExistingTable, listExistingTables, proposeSchema } from './existing-tables.ts';
import { chooseEditor, chooseExtendedEditor, type Editor } from './choose-editor.ts';
import {
  type Answers,
  type Ask,
  askOneOf,
  askUntilValid,
  type Dialog,
  type InitOptions,
  readName,
} from './questions.ts';
import { INIT_DEFAULTS } from '../command-line/choices.ts';
import { type Access, readTableAccess, type TableAccess } from './table-access.ts';

export interface ServedTables {
  readonly schema: string;
  /** The tables of the schema that nobody could access, or that a flag names. */
  readonly tables: readonly TableAccess[];
  /** What requests without a token may do with tables that are created later. */
  readonly futureAccess: Access;
  readonly editor: Editor | undefined;
}

const NOTHING_DONE = 'Nothing was done.';
/** Names in one message. */
const MAX_NAMES = 20;

/** An error is a message for the user. Without a database, flags cannot name tables. */
export async function chooseTables(
  options: InitOptions,
  { uri, anonRole, loginRole, takenRoles, extended }: Answers,
  dialog: Dialog | undefined,
): Promise<Result<ServedTables, string>> {
  const ask = dialog?.ask;
  const existing = uri === undefined || uri === '' ? ok([]) : await listExistingTables(uri, anonRole);
  const isRun = options.mode === 'run' || ask !== undefined;
  if (!existing.ok) {
    const reason = describeFailure(existing.error, SVC_DIALECT);
    if (isRun) return fail(`${NOTHING_DONE} ${reason}`);
    process.stderr.write(`Could not look for existing tables: ${reason}\n`);
  }
  const all = existing.ok ? existing.value : [];
  const usual = proposeSchema(all, INIT_DEFAULTS.schema);
  const stated =
    options.schema ?? (ask && (await askUntilValid(ask, `Schema to serve [${escapeLine(usual)}]: `, readName(usual))));
  if (stated === undefined && ask !== undefined) return fail(`\n${NOTHING_DONE}`);
  const schema = stated?.trim() || usual;
  if (schema.includes(',')) return fail(`Specify one schema, without a comma. ${NOTHING_DONE}`);
  const tables = all.filter((table) => table.schema === schema);
  const chosen = await chooseAccess(options, tables, dialog, schema, anonRole);
  if (!chosen.ok) return chosen;
  const isEmpty = tables.length === 0;
  const futureAccess = await chooseFuture(options, ask, isEmpty, chosen.value);
  if (futureAccess === undefined) return fail(`\n${NOTHING_DONE}`);
  if (isEmpty && ask === undefined && futureAccess === 'none')
    process.stderr.write(
      `Tables that you create in the schema ${escapeLine(schema)} are not accessible without a token. Pass --read-future to let ${anonRole} read them.\n`,
    );
  const otherRoles = [anonRole, loginRole];
  const editor =
    extended === undefined
      ? await chooseEditor(options, { ask, tables, chosen: chosen.value, otherRoles, takenRoles })
      : await chooseExtendedEditor(extended, { ask, chosen: chosen.value });
  if (!editor.ok) return fail(editor.error ?? `\n${NOTHING_DONE}`);
  return ok({ schema, tables: chosen.value, futureAccess, editor: editor.value });
}

/**
 * Offers what was chosen for existing tables; everything if there are none.
 *
 * @param isEmpty whether the schema has no tables yet, so that nothing was chosen for them
 * @returns undefined if the input ended
 */
async function chooseFuture(
  { future }: InitOptions,
  ask: Ask | undefined,
  isEmpty: boolean,
  chosen: readonly TableAccess[],
): Promise<Access | undefined> {
  if (future.isWritable) return 'write';
  if (future.isReadable) return 'read';
  const offered = (['read', 'write'] as const).filter(
    (wanted) => isEmpty || chosen.some(({ access }) => access === wanted),
  );
  if (ask === undefined || offered.length === 0) return 'none';
  const words = new Intl.ListFormat('en', { type: 'disjunction' }).format(['none', ...offered]);
  return askOneOf(ask, `Access without a token to every table that is created later: ${words}`, ['none', ...offered]);
}

async function chooseAccess(
  { tables: flags }: InitOptions,
  tables: readonly ExistingTable[],
  dialog: Dialog | undefined,
  schema: string,
  anonRole: string,
): Promise<Result<readonly TableAccess[], string>> {
  const hidden = tables.filter(({ isAccessible }) => !isAccessible);
  const hasFlags = Object.values(flags).some((names) => names.length > 0);
  if (dialog !== undefined && !hasFlags && hidden.length > 0) {
    process.stdout.write(`\n${describeHidden(hidden, schema)}. Choose what requests without a token may do:\n`);
    const asked = await dialog.chooseAccess(hidden);
    return asked === undefined ? fail(`\n${NOTHING_DONE}`) : ok(asked);
  }
  const chosen = readTableAccess(tables, flags);
  if (!chosen.ok) return chosen;
  const listed = chosen.value.filter(({ table, access }) => !table.isAccessible || access !== 'none');
  const left = listed.filter(({ access }) => access === 'none').map(({ table }) => table);
  if (left.length > 0)
    process.stderr.write(
      `${describeHidden(left, schema)}. Pass --read all, or their names, to let ${anonRole} read them.\n`,
    );
  return ok(listed);
}

function describeHidden(tables: readonly ExistingTable[], schema: string): string {
  const names = tables.slice(0, MAX_NAMES).map(({ name }) => escapeLine(name));
  const more = tables.length > MAX_NAMES ? ` and ${tables.length - MAX_NAMES} more` : '';
  const subject = tables.length === 1 ? 'One table' : `${tables.length} tables`;
  return `${subject} of the schema ${escapeLine(schema)} ${tables.length === 1 ? 'is' : 'are'} not accessible without a token: ${names.join(', ')}${more}`;
}
