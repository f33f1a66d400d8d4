// What triggers did to the rows of a write that no privilege or policy refused: the write runs with and without them.
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { MutateAction } from '../../../src/plan/actions/action-plan.ts';
import { quoteQualified } from '../../../src/sql/text/identifier.ts';
import { countRows, labelRow } from './describe-policies.ts';
import type { FoundRow } from './row-statements.ts';
import { findWritten, type Target, type WritePlace } from './targets.ts';
import { listRowTriggers, nameTrigger, type Trigger } from './triggers.ts';

interface Place extends WritePlace {
  readonly target: Target;
}

/** Rows that are compared. */
const MAX_COMPARED = 10;

/** @param action restricted to the rows that the policies allow */
export async function explainTriggers(action: MutateAction, place: Place): Promise<readonly string[]> {
  const { target, probe } = place;
  const command = action.mutation === 'put' ? 'insert' : action.mutation;
  const triggers = await listRowTriggers(action.relation.name, command, probe);
  if (triggers.length === 0) return [];
  const compared = await compareRuns(action, place);
  if (!compared.ok) return [`${listTriggers(triggers)} may have skipped or changed rows.`];
  const { skipped, changed } = compared.value;
  const labels = (rows: readonly FoundRow[]): readonly string[] =>
    rows.map(({ key, literal }) => labelRow(target.own, key, literal));
  const count = (rows: readonly FoundRow[]): string =>
    countRows([...rows.keys()], { labels: labels(rows), noun: 'row' });
  return [
    ...(skipped.length === 0 ? [] : [`${listTriggers(triggers)} skipped ${count(skipped)}.`]),
    ...(changed.length === 0 ? [] : [`${listTriggers(triggers)} changed ${count(changed.map(({ row }) => row))}:`]),
    ...changed.map(({ row, values }) => `  ${labels([row])[0] ?? ''}: ${values.map(describeValue).join(', ')}`),
  ];
}

function listTriggers(triggers: readonly Trigger[]): string {
  const names = triggers.map(nameTrigger);
  const [only = ''] = names;
  return names.length === 1 ? only.replace(/^t/u, 'T') : `One of ${names.join(', ')}`;
}

interface ChangedValue {
  readonly column: string;
  readonly given: string | null;
  readonly written: string | null;
}

function describeValue({ column, given, written }: ChangedValue): string {
  const text = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value.slice(0, 80)));
  return `${column} becomes ${text(written)} instead of ${text(given)}`;
}

interface Comparison {
  readonly skipped: readonly FoundRow[];
  readonly changed: readonly { readonly row: FoundRow; readonly values: readonly ChangedValue[] }[];
}

async function compareRuns(action: MutateAction, place: Place): Promise<Result<Comparison, string>> {
  const { target } = place;
  const written = await findWritten(action, target, place);
  const bare = await findWritten(action, target, { ...place, isBare: true });
  if (!written.ok) return written;
  if (!bare.ok) return bare;
  const found = new Map(written.value.map((row) => [JSON.stringify(row.key), row]));
  const skipped = bare.value.filter(({ key }) => !found.has(JSON.stringify(key)));
  const changed: Comparison['changed'][number][] = [];
  for (const row of bare.value) {
    const other = found.get(JSON.stringify(row.key));
    if (other === undefined || other.literal === row.literal || changed.length === MAX_COMPARED) continue;
    const values = await listChanges(row, other, place);
    if (values.length > 0) changed.push({ row, values });
  }
  return skipped.length > 0 && target.own.length === 0 ? fail('') : ok({ skipped, changed });
}

async function listChanges(
  { literal: given }: FoundRow,
  { literal: written }: FoundRow,
  { target, probe }: Place,
): Promise<readonly ChangedValue[]> {
  const reply = await probe.read(renderChanges(quoteQualified(target.facts.name), given, written));
  if (!reply.ok) return [];
  return reply.value.map(([column, before, after]) => ({
    column: column ?? '',
    given: before ?? null,
    written: after ?? null,
  }));
}

function renderChanges(type: string, given: string, written: string): Statement {
  const pairs = (parameter: string): string => `pg_catalog.jsonb_each_text(pg_catalog.to_jsonb(${parameter}::${type}))`;
  return {
    text: `SELECT g.key, g.value, w.value FROM ${pairs('$1')} AS g JOIN ${pairs('$2')} AS w USING (key)
WHERE g.value IS DISTINCT FROM w.value ORDER BY g.key`,
    parameters: [given, written],
  };
}
