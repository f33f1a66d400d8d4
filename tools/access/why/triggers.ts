// The triggers of a table, by what they can do to a request, and what they did to the rows of a write that no privilege or
// policy refused: the write runs with and without them.
import { fail, ok } from '../../../src/contract/result.ts';
import type { MutateAction } from '../../../src/plan/actions/action-plan.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { quoteQualified } from '../../../src/sql/text/identifier.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { countRows, nameRow } from './decide-rows.ts';
import type { Found, FoundRow, Probe } from './probe.ts';
import { findKeyed, findLeft, type Target } from './targets.ts';

const MAX_TRIGGERS = 20;

/** @param output SQL of a text */
function renderTriggers(output: string, condition: string): string {
  return `
SELECT ${output}
FROM (
  SELECT tgname AS name, tgtype, tgrelid, tgfoid, pg_catalog.concat_ws(' ',
    CASE WHEN tgtype & 64 > 0 THEN 'INSTEAD OF' WHEN tgtype & 2 > 0 THEN 'BEFORE' ELSE 'AFTER' END,
    pg_catalog.concat_ws(' OR ', CASE WHEN tgtype & 4 > 0 THEN 'INSERT' END, CASE WHEN tgtype & 16 > 0 THEN 'UPDATE' END,
      CASE WHEN tgtype & 8 > 0 THEN 'DELETE' END, CASE WHEN tgtype & 32 > 0 THEN 'TRUNCATE' END)) AS event
  FROM pg_catalog.pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')) AS trigger
JOIN pg_catalog.pg_class AS class ON class.oid = trigger.tgrelid
JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
JOIN pg_catalog.pg_proc AS proc ON proc.oid = trigger.tgfoid
JOIN pg_catalog.pg_namespace AS home ON home.oid = proc.pronamespace
WHERE ${condition} ORDER BY class.relname, trigger.name LIMIT ${MAX_TRIGGERS}`;
}

/** Those that can skip or change rows of a table before they are written, in the order in which they fire. */
const ROW_TRIGGERS_SQL = renderTriggers(
  `pg_catalog.format('trigger %s on %s (%s, %I.%I())', trigger.name, class.relname, event, home.nspname, proc.proname)`,
  'space.nspname = $1 AND class.relname = $2 AND tgtype & 1 > 0 AND tgtype & 66 > 0 AND tgtype & $3::int > 0',
);

/** The context of an error leaves out schemas of the search path. */
const CALLERS_SQL = renderTriggers(
  `pg_catalog.format('%I.%I() runs as the trigger %s on %s (%s).', home.nspname, proc.proname, trigger.name, class.relname, event)`,
  `(pg_catalog.format('%I()', proc.proname) = ANY ($1) OR pg_catalog.format('%I.%I()', home.nspname, proc.proname) = ANY ($1))`,
);

const ROUTINE = /^PL\/pgSQL function (?<routine>.+?\)) line \d/u;

/** Names the triggers that call the functions in the context of an error. */
export async function listCallers(context: readonly string[], probe: Probe): Promise<readonly string[]> {
  const routines = context.flatMap((line) => ROUTINE.exec(line)?.groups?.['routine'] ?? []);
  return routines.length === 0 ? [] : probe.list(CALLERS_SQL, [renderArrayLiteral(routines)]);
}

interface Place {
  readonly target: Target;
  readonly probe: Probe;
  readonly script: TransactionScript | undefined;
  /** The rows that the policies let the write change. */
  readonly rows: readonly FoundRow[];
}

/** Rows that are compared. */
const MAX_COMPARED = 10;
const BITS = { insert: 4, put: 4, update: 16, delete: 8 };

export async function explainTriggers({ relation, mutation }: MutateAction, place: Place): Promise<readonly string[]> {
  const { target, probe } = place;
  const { schema, name } = relation.name;
  const triggers = await probe.list(ROW_TRIGGERS_SQL, [schema, name, String(BITS[mutation])]);
  if (triggers.length === 0) return [];
  const names = triggers.map((each) => `the ${each}`).join(', ');
  const subject = triggers.length === 1 ? `The ${triggers[0]}` : `One of ${names}`;
  const written = await findWritten(mutation, place, false);
  const bare = await findWritten(mutation, place, true);
  if (!written.ok || !bare.ok) return [`${subject} may have skipped or changed rows.`];
  const found = new Map(written.value.map((row) => [JSON.stringify(row.key), row.literal]));
  const skipped = bare.value.filter(({ key }) => !found.has(JSON.stringify(key)));
  if (skipped.length > 0 && target.own.length === 0) return [`${subject} may have skipped or changed rows.`];
  const changed: FoundRow[] = [];
  const lines: string[] = [];
  for (const row of bare.value) {
    const literal = found.get(JSON.stringify(row.key));
    if (literal === undefined || literal === row.literal || changed.length === MAX_COMPARED) continue;
    const values = await probe.list(renderChanges(quoteQualified(target.facts.name)), [row.literal, literal]);
    if (values.length === 0) continue;
    changed.push(row);
    lines.push(`  ${nameRow(row, target.own)}: ${values.join(', ')}`);
  }
  return [
    ...(skipped.length === 0 ? [] : [`${subject} skipped ${countRows(skipped, target)}.`]),
    ...(changed.length === 0 ? [] : [`${subject} changed ${countRows(changed, target)}:`]),
    ...lines,
  ];
}

async function findWritten(
  mutation: MutateAction['mutation'],
  { target, probe, script, rows }: Place,
  isBare: boolean,
): Promise<Found<readonly FoundRow[]>> {
  if (script === undefined) return fail('');
  const looksFor = mutation === 'delete' ? () => findKeyed(target, rows, probe) : undefined;
  const left = await findLeft(script, target, probe, { isBare, looksFor });
  if (!left.ok || looksFor === undefined) return left;
  const kept = new Set(left.value.map(({ key }) => JSON.stringify(key)));
  return ok(rows.filter(({ key }) => !kept.has(JSON.stringify(key))));
}

function renderChanges(type: string): string {
  const pairs = (parameter: string): string => `pg_catalog.jsonb_each_text(pg_catalog.to_jsonb(${parameter}::${type}))`;
  const value = (each: string): string =>
    `coalesce(pg_catalog.to_json(pg_catalog."left"(${each}.value, 80))::text, 'null')`;
  return `SELECT pg_catalog.format('%s becomes %s instead of %s', given.key, ${value('written')}, ${value('given')})
FROM ${pairs('$1')} AS given JOIN ${pairs('$2')} AS written USING (key)
WHERE given.value IS DISTINCT FROM written.value ORDER BY given.key`;
}
