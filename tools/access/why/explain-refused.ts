// Which rows of those that a request writes the policies of a table refuse, however they come there: the request runs
// freely, and the policies decide on the rows that it leaves.
import { ok } from '../../../src/contract/result.ts';
import type { MutateAction } from '../../../src/plan/actions/action-plan.ts';
import type { TransactionScript } from '../../../src/sql/transaction-script.ts';
import { findRefused, READING } from './decide-rows.ts';
import { describeContext, type ExplainedRequest, isPolicyRefusal } from './failed-request.ts';
import { readsRows } from './explain-denial.ts';
import type { FoundRow, Probe } from './probe.ts';
import { renderConflicting } from './row-statements.ts';
import { findKeyed, findLeft, type Target } from './targets.ts';

/** PostgreSQL names the table without its schema. */
const REFUSED_TABLE = /row-level security policy.* for table "(?<table>.+)"$/u;

const TABLES_SQL = `
SELECT space.nspname FROM pg_catalog.pg_class AS class
JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
WHERE class.relname = $1 AND class.relrowsecurity AND class.relkind IN ('r', 'p')
ORDER BY space.nspname LIMIT 10`;

interface RefusedWrite {
  /** The role whose policies refused a row, unless it is one of a target. */
  readonly actor: string;
  readonly script: TransactionScript | undefined;
  /** What the request itself writes. */
  readonly write?: { readonly action: MutateAction; readonly targets: readonly Target[] };
}

/** @returns none if no policy that can be evaluated refuses a row */
export async function explainRefused(
  request: ExplainedRequest,
  { actor, script, write }: RefusedWrite,
  probe: Probe,
): Promise<readonly string[]> {
  const { report } = request;
  const name = REFUSED_TABLE.exec(report.message)?.groups?.['table'];
  if (!isPolicyRefusal(report) || name === undefined || script === undefined) return [];
  const lines = new Set<string>();
  for (const schema of await probe.list(TABLES_SQL, [name])) {
    const target = write?.targets.find(({ facts }) => facts.name.name === name && facts.name.schema === schema);
    const facts = target?.facts ?? (await probe.readFacts({ schema, name }, actor));
    if (facts === undefined) continue;
    const place = { target: target ?? { facts, own: facts.relation.key }, probe };
    const found = await explainTable(script, place, target && write?.action);
    for (const line of found) lines.add(line);
    // The row of another table came there in some other way.
    if (found.length > 0 && write !== undefined && target === undefined)
      for (const line of await describeContext(request, probe)) lines.add(line);
  }
  return [...lines];
}

interface Place {
  readonly target: Pick<Target, 'facts' | 'own'> & Partial<Target>;
  readonly probe: Probe;
}

/** @param action whose table it is; undefined: something else wrote the rows */
async function explainTable(
  script: TransactionScript,
  place: Place,
  action: MutateAction | undefined,
): Promise<readonly string[]> {
  const { target, probe } = place;
  const isReading = action !== undefined && readsRows(action);
  const explainExisting = async (rows: readonly FoundRow[]): Promise<readonly string[]> => [
    ...(await findRefused(rows, { command: 'update', clause: 'using' }, place, 'existing row')),
    ...(isReading ? await findRefused(rows, READING, place, 'existing row') : []),
  ];
  const isMerging = action?.conflict?.resolution === 'merge' && target.source === undefined;
  const conflicting = isMerging ? renderConflicting(action, target.own) : undefined;
  const known = conflicting === undefined ? ok([]) : await probe.find(conflicting);
  const kept = known.ok ? await explainExisting(known.value) : [];
  if (kept.length > 0) return kept;
  const left = await findLeft(script, target, probe);
  if (!left.ok)
    return action === undefined ? [] : [`What the row would become is not known: PostgreSQL reported ${left.error}.`];
  const isUpdate = action?.mutation === 'update';
  const before = isUpdate ? left : await findKeyed(target, left.value, probe);
  const replaced = before.ok ? before.value : [];
  const keys = new Set(replaced.map(({ key }) => JSON.stringify(key)));
  const isReplaced = ({ key }: FoundRow): boolean => keys.has(JSON.stringify(key));
  // A row that is merged was first proposed as a new one, which is not known any more.
  const added = left.value.filter((row) => !isReplaced(row));
  const lines = [
    ...(await findRefused(added, { command: 'insert', clause: 'check' }, place)),
    ...(isUpdate ? [] : await explainExisting(replaced)),
    ...(await findRefused(left.value.filter(isReplaced), { command: 'update', clause: 'check' }, place)),
  ];
  const mayRead = action === undefined ? lines.length === 0 : isReading;
  return mayRead ? [...lines, ...(await findRefused(left.value, READING, place))] : lines;
}
