// The triggers of a table, by what they can do to a request.
import type { QualifiedName } from '../../../src/contract/identifiers.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import type { Probe } from './probe.ts';

export interface Trigger {
  readonly name: string;
  readonly table: string;
  /** `BEFORE UPDATE` */
  readonly event: string;
  /** `private.keep()` */
  readonly routine: string;
}

const MAX_TRIGGERS = 20;

const TRIGGERS_SQL = `
SELECT trigger.tgname, class.relname,
  concat_ws(' ', CASE WHEN tgtype & 64 > 0 THEN 'INSTEAD OF' WHEN tgtype & 2 > 0 THEN 'BEFORE' ELSE 'AFTER' END,
    concat_ws(' OR ', CASE WHEN tgtype & 4 > 0 THEN 'INSERT' END, CASE WHEN tgtype & 16 > 0 THEN 'UPDATE' END,
      CASE WHEN tgtype & 8 > 0 THEN 'DELETE' END, CASE WHEN tgtype & 32 > 0 THEN 'TRUNCATE' END)),
  pg_catalog.format('%I.%I()', home.nspname, proc.proname)
FROM pg_catalog.pg_trigger AS trigger
JOIN pg_catalog.pg_class AS class ON class.oid = trigger.tgrelid
JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
JOIN pg_catalog.pg_proc AS proc ON proc.oid = trigger.tgfoid
JOIN pg_catalog.pg_namespace AS home ON home.oid = proc.pronamespace
WHERE NOT trigger.tgisinternal AND trigger.tgenabled IN ('O', 'A')`;

/** Returns those that can skip or change rows of a table before they are written, in the order in which they fire. */
export function listRowTriggers(
  { schema, name }: QualifiedName,
  command: 'insert' | 'update' | 'delete',
  probe: Probe,
): Promise<readonly Trigger[]> {
  const bit = { insert: 4, update: 16, delete: 8 }[command];
  const text = `${TRIGGERS_SQL} AND space.nspname = $1 AND class.relname = $2
  AND tgtype & 1 > 0 AND tgtype & 66 > 0 AND tgtype & $3::int > 0
ORDER BY trigger.tgname LIMIT ${MAX_TRIGGERS}`;
  return readTriggers({ text, parameters: [schema, name, String(bit)] }, probe);
}

const ROUTINE = /^PL\/pgSQL function (?<routine>.+?\)) line \d/u;

/** Returns the triggers that call the functions in the context of an error. */
export async function listCallers(context: readonly string[], probe: Probe): Promise<readonly Trigger[]> {
  const routines = context.flatMap((line) => ROUTINE.exec(line)?.groups?.['routine'] ?? []);
  if (routines.length === 0) return [];
  // The context leaves out schemas of the search path.
  const text = `${TRIGGERS_SQL}
  AND (pg_catalog.format('%I()', proc.proname) = ANY ($1) OR pg_catalog.format('%I.%I()', home.nspname, proc.proname) = ANY ($1))
ORDER BY class.relname, trigger.tgname LIMIT ${MAX_TRIGGERS}`;
  return readTriggers({ text, parameters: [renderArrayLiteral(routines)] }, probe);
}

async function readTriggers(statement: Statement, probe: Probe): Promise<readonly Trigger[]> {
  const reply = await probe.read(statement);
  if (!reply.ok) return [];
  return reply.value.map(([name, table, event, routine]) => ({
    name: name ?? '',
    table: table ?? '',
    event: event ?? '',
    routine: routine ?? '',
  }));
}

/** `the trigger keep on kept (BEFORE UPDATE, private.keep())` */
export function nameTrigger({ name, table, event, routine }: Trigger): string {
  return `the trigger ${name} on ${table} (${event}, ${routine})`;
}
