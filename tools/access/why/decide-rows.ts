// Lets the policies for a command decide on rows, and puts into words which of them hid or refused which rows, and why.
import type { FailedPart, PolicyCommand } from '../../../src/contract/access-document.ts';
import { appendTo } from '../../../src/catalog/maps.ts';
import { allowsRow, type PolicyVerdicts } from '../policies/evaluate-policies.ts';
import type { Facts, FoundRow, Probe, Question } from './probe.ts';
import { MAX_ROWS } from './row-statements.ts';

/** How rows are counted. */
interface Counted {
  /** Columns of the key. */
  readonly own: readonly string[];
  /** What the rows are: `new row`. */
  readonly noun?: string | undefined;
  /** Whether there are more rows, which were not looked at. */
  readonly isPartial?: boolean | undefined;
}

/** The rows that the policies for one command decide on. */
interface DecidedRows extends Counted {
  /** The table, and the role that the policies concern. */
  readonly facts: Facts;
  readonly command: PolicyCommand;
  /** `hid`: they are left out; `refused`: the statement fails. */
  readonly effect: 'hid' | 'refused';
  readonly rows: readonly FoundRow[];
  /** Those that apply to the role; undefined: none restricts it. */
  readonly policies: readonly PolicyVerdicts[] | undefined;
}

export interface DecisionPlace {
  readonly target: Pick<DecidedRows, 'facts' | 'own'>;
  readonly probe: Probe;
}

/** Rows that are named. */
const MAX_NAMED = 10;
/** Characters of a value. */
const MAX_VALUE = 80;
const MAX_EXPRESSION = 1000;

export const READING: Question = { command: 'select', clause: 'using' };

/** What policies leave of the rows that a request asks for. */
export interface VisibleRows extends Counted {
  /** Sentences about those that they hide. */
  readonly lines: readonly string[];
  readonly isHiding: boolean;
  readonly rows: readonly FoundRow[];
}

export async function findVisible(
  found: readonly FoundRow[],
  questions: readonly Question[],
  place: DecisionPlace,
): Promise<VisibleRows> {
  const looked = found.slice(0, MAX_ROWS);
  const isPartial = found.length > MAX_ROWS;
  const lines: string[] = [];
  const denied = new Set<number>();
  for (const question of questions) {
    const decided = await decide(looked, question, place, { effect: 'hid', noun: 'row', isPartial });
    lines.push(...describePolicies(decided));
    for (const row of listDenied(decided)) denied.add(row);
  }
  const rows = looked.filter((_, row) => !denied.has(row));
  return { lines, isHiding: denied.size > 0, rows, own: place.target.own, isPartial };
}

async function decide(
  rows: readonly FoundRow[],
  question: Question,
  { target: { facts, own }, probe }: DecisionPlace,
  look: Pick<DecidedRows, 'effect' | 'noun' | 'isPartial'>,
): Promise<DecidedRows> {
  const literals = rows.map(({ literal }) => literal);
  const policies = rows.length === 0 ? undefined : await probe.decide(facts, question, literals);
  return { facts, own, command: question.command, rows, policies, ...look };
}

/** Returns what the policies for a command refuse of rows that are written. */
export async function findRefused(
  rows: readonly FoundRow[],
  question: Question,
  place: DecisionPlace,
  noun = 'new row',
): Promise<readonly string[]> {
  return describePolicies(await decide(rows, question, place, { effect: 'refused', noun }));
}

/** Returns the indexes of the rows that the policies do not allow. */
function listDenied({ rows, policies }: DecidedRows): readonly number[] {
  if (policies === undefined) return [];
  return [...rows.keys()].filter((row) => !allowsRow(policies, row));
}

/** Returns sentences, the lines that belong to one indented; none if the policies allow all rows. */
function describePolicies(decided: DecidedRows): readonly string[] {
  const denied = listDenied(decided);
  const { policies = [], facts, command } = decided;
  if (denied.length === 0) return [];
  const permissive = policies.filter(({ policy }) => policy.isPermissive);
  const lines: string[] = [];
  if (permissive.length === 0) {
    const what = `No permissive policy on ${facts.relation.name} for ${command.toUpperCase()} applies to ${facts.role.name}`;
    lines.push(`${what}: row-level security ${decided.effect} ${countDenied(denied, decided)}.`);
  }
  const isTrue = (policy: PolicyVerdicts, row: number): boolean => policy.verdicts[row]?.result.kind === 'true';
  const barred = denied.filter((row) => permissive.every((each) => !isTrue(each, row)));
  for (const policy of policies) {
    const rows = policy.policy.isPermissive ? barred : denied.filter((row) => !isTrue(policy, row));
    lines.push(...describePolicy(policy, rows, decided));
  }
  if (permissive.length > 1 && barred.length > 0)
    lines.push(`One of these would have to allow a row: ${permissive.map(({ policy }) => policy.name).join(', ')}.`);
  return lines;
}

function describePolicy(
  { policy, clause, verdicts, tables, indirect }: PolicyVerdicts,
  denied: readonly number[],
  decided: DecidedRows,
): readonly string[] {
  const { relation, role } = decided.facts;
  const kind = policy.isPermissive ? 'policy' : 'restrictive policy';
  const subject = `${clause === 'check' ? 'WITH CHECK' : 'USING'} of ${kind} ${policy.name} on ${relation.name}`;
  const reads = [
    ...(tables.length === 0 ? [] : [`It reads ${tables.join(', ')} as ${role.name} sees it.`]),
    // The rows of those tables are not looked up.
    ...(indirect.length === 0
      ? []
      : [`It may read ${indirect.join(', ')} as ${role.name} sees it, which was not examined.`]),
  ];
  // Rows of the same cause share a sentence.
  const groups = new Map<string, number[]>();
  for (const row of denied) {
    const { result, parts = [] } = verdicts[row] ?? {};
    const reason = result?.kind === 'failed' ? result.reason : '';
    appendTo(groups, JSON.stringify([reason, ...parts.map(({ expression }) => expression)]), row);
  }
  const lines: string[] = [];
  for (const group of groups.values()) {
    const { result, parts = [] } = verdicts[group[0] ?? 0] ?? {};
    if (result?.kind === 'failed') {
      lines.push(`${subject} fails for ${countDenied(group, decided)}: ${result.reason}.`);
      continue;
    }
    const expression = cut(parts.map((part) => part.expression.replaceAll(/\s+/gu, ' ')).join('; '), MAX_EXPRESSION);
    const read = reads.length === 0 ? '' : `. ${reads.join(' ')}`;
    lines.push(`${subject} ${decided.effect} ${countDenied(group, decided)}: ${expression}${read}`);
    for (const index of group.slice(0, MAX_NAMED)) {
      const values = describeValues(verdicts[index]?.parts ?? []);
      const row = decided.rows[index];
      if (values !== '' && row !== undefined) lines.push(`  ${nameRow(row, decided.own)}: ${values}`);
    }
  }
  return lines;
}

function describeValues(parts: readonly FailedPart[]): string {
  const values = new Map(parts.flatMap((part) => part.values.map(({ name, value }) => [name, value] as const)));
  return Array.from(
    values,
    ([name, value]) => `${name} is ${value === null ? 'null' : cut(JSON.stringify(value))}`,
  ).join(', ');
}

function cut(text: string, length = MAX_VALUE): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function countDenied(denied: readonly number[], decided: DecidedRows): string {
  return countRows(
    denied.flatMap((index) => decided.rows[index] ?? []),
    decided,
  );
}

/** `2 rows (id=7, id=8)` */
export function countRows(rows: readonly FoundRow[], { own, noun = 'row', isPartial = false }: Counted): string {
  const named = rows.slice(0, MAX_NAMED).map((row) => nameRow(row, own));
  const rest = rows.length > MAX_NAMED ? ', …' : '';
  return `${isPartial ? 'at least ' : ''}${rows.length} ${noun}${rows.length === 1 ? '' : 's'} (${named.join(', ')}${rest})`;
}

/** Names a row by its key, or by what it contains. */
export function nameRow({ key, literal }: FoundRow, own: readonly string[]): string {
  return own.length === 0 ? cut(literal) : own.map((name, index) => `${name}=${cut(key[index] ?? '')}`).join(' ');
}
