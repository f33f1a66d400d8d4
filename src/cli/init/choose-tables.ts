// Chooses the schema to serve and what requests without a token may do with its existing tables.
import { SVC_DIALECT } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { describeFailure } from '../output/describe-failure.ts';
import { type ExistingTable, listExistingTables, proposeSchema } from './existing-tables.ts';
import { type Ask, askUntilValid, askYesOrNo, readName } from './ask-again.ts';
import type { Answers, InitOptions } from './questions.ts';
import { INIT_DEFAULTS } from './read-init-words.ts';
import { askTableAccess, readTableAccess, type TableAccess } from './table-access.ts';

export interface ServedTables {
  readonly schema: string;
  /** The tables of the schema that nobody could access, or that a flag names. */
  readonly tables: readonly TableAccess[];
  /** Whether requests without a token may read tables that are created later. */
  readonly isFutureReadable: boolean;
}

const NOTHING_DONE = 'Nothing was done.';
/** Names in one message. */
const MAX_NAMES = 20;

/** An error is a message for the user. Without a database, flags cannot name tables. */
export async function chooseTables(
  options: InitOptions,
  { uri, anonRole }: Answers,
  ask: Ask | undefined,
): Promise<Result<ServedTables, string>> {
  const existing = uri === undefined || uri === '' ? ok([]) : await listExistingTables(uri, anonRole);
  const isRun = options.mode === 'run' || ask !== undefined;
  if (!existing.ok) {
    const reason = describeFailure(existing.error, SVC_DIALECT);
    if (isRun) return fail(`${NOTHING_DONE} ${reason}`);
    process.stderr.write(`Could not look for existing tables: ${reason}\n`);
  }
  const all = existing.ok ? existing.value : [];
  const usual = proposeSchema(all, INIT_DEFAULTS.schema);
  const stated = options.schema ?? (ask && (await askUntilValid(ask, `Schema to serve [${usual}]: `, readName(usual))));
  if (stated === undefined && ask !== undefined) return fail(`\n${NOTHING_DONE}`);
  const schema = stated?.trim() || usual;
  if (schema.includes(',')) return fail(`Specify one schema, without a comma. ${NOTHING_DONE}`);
  const tables = all.filter((table) => table.schema === schema);
  const chosen = await chooseAccess(options, tables, { ask, schema, anonRole });
  if (!chosen.ok) return chosen;
  // A schema that is made for the API contains nothing that must be kept from it.
  const isNew = tables.length === 0;
  const isFutureReadable = isNew || options.isFutureReadable || (await askForFuture(chosen.value, ask));
  return isFutureReadable === undefined
    ? fail(`\n${NOTHING_DONE}`)
    : ok({ schema, tables: chosen.value, isFutureReadable });
}

/** @returns undefined if the input ended */
async function askForFuture(chosen: readonly TableAccess[], ask: Ask | undefined): Promise<boolean | undefined> {
  if (ask === undefined || chosen.every(({ access }) => access === 'none')) return false;
  return askYesOrNo(ask, 'Let requests without a token also read every table that is created later?');
}

interface AccessQuestion {
  readonly ask: Ask | undefined;
  readonly schema: string;
  readonly anonRole: string;
}

async function chooseAccess(
  { tables: flags }: InitOptions,
  tables: readonly ExistingTable[],
  { ask, schema, anonRole }: AccessQuestion,
): Promise<Result<readonly TableAccess[], string>> {
  const hidden = tables.filter(({ isAccessible }) => !isAccessible);
  const hasFlags = Object.values(flags).some((names) => names.length > 0);
  if (ask !== undefined && !hasFlags && hidden.length > 0) {
    process.stdout.write(`\n${describeHidden(hidden, schema)}.\n`);
    const asked = await askTableAccess(hidden, ask);
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
  const names = tables.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = tables.length > MAX_NAMES ? ` and ${tables.length - MAX_NAMES} more` : '';
  const subject = tables.length === 1 ? 'One table' : `${tables.length} tables`;
  return `${subject} of the schema ${schema} ${tables.length === 1 ? 'is' : 'are'} not accessible to any role of the API: ${names.join(', ')}${more}`;
}
