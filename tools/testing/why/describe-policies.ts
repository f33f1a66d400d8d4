// Puts into words which policies hid or refused which rows, and why.
import type { AccessRole, FailedPart, PolicyCommand } from '../../../src/contract/access-document.ts';
import { appendTo } from '../../../src/catalog/maps.ts';
import { allowsRow, type PolicyVerdicts } from '../../access/evaluate-policies.ts';

/** The rows that the policies for one command decide on. */
export interface DecidedRows {
  /** Name of the table. */
  readonly table: string;
  /** Whom the policies concern. */
  readonly role: AccessRole;
  readonly command: PolicyCommand;
  /** `hid`: they are left out; `refused`: the statement fails. */
  readonly effect: 'hid' | 'refused';
  /** What the rows are: `new row`. */
  readonly noun: string;
  /** `id=7`. */
  readonly labels: readonly string[];
  /** Whether there are more rows, which were not looked at. */
  readonly isPartial?: boolean | undefined;
  /** Those that apply to the role; undefined: none restricts it. */
  readonly policies: readonly PolicyVerdicts[] | undefined;
}

/** Rows that are named. */
const MAX_NAMED = 10;
/** Characters of a value. */
const MAX_VALUE = 80;
const MAX_EXPRESSION = 1000;

/** Returns the indexes of the rows that the policies do not allow. */
export function listDenied({ labels, policies }: DecidedRows): readonly number[] {
  if (policies === undefined) return [];
  return [...labels.keys()].filter((row) => !allowsRow(policies, row));
}

/** Returns sentences, the lines that belong to one indented; none if the policies allow all rows. */
export function describePolicies(decided: DecidedRows): readonly string[] {
  const denied = listDenied(decided);
  const { policies = [], role, table, command } = decided;
  if (denied.length === 0) return [];
  const permissive = policies.filter(({ policy }) => policy.isPermissive);
  const lines: string[] = [];
  if (permissive.length === 0) {
    const what = `No permissive policy on ${table} for ${command.toUpperCase()} applies to ${role.name}`;
    lines.push(`${what}: row-level security ${decided.effect} ${countRows(denied, decided)}.`);
  }
  const isTrue = (policy: PolicyVerdicts, row: number): boolean => policy.verdicts[row]?.result.kind === 'true';
  for (const policy of policies) {
    const rows = denied.filter((row) =>
      policy.policy.isPermissive ? permissive.every((each) => !isTrue(each, row)) : !isTrue(policy, row),
    );
    lines.push(...describePolicy(policy, rows, decided));
  }
  const isChoice = permissive.length > 1 && denied.some((row) => permissive.every((each) => !isTrue(each, row)));
  if (isChoice)
    lines.push(`One of these would have to allow a row: ${permissive.map(({ policy }) => policy.name).join(', ')}.`);
  return lines;
}

function describePolicy(own: PolicyVerdicts, rows: readonly number[], decided: DecidedRows): readonly string[] {
  const { policy, clause, verdicts, tables, indirect } = own;
  const kind = policy.isPermissive ? 'policy' : 'restrictive policy';
  const subject = `${clause === 'check' ? 'WITH CHECK' : 'USING'} of ${kind} ${policy.name} on ${decided.table}`;
  const lines: string[] = [];
  const groups = new Map<string, number[]>();
  for (const row of rows) appendTo(groups, causeOf(own, row), row);
  for (const group of groups.values()) {
    const [first = 0] = group;
    const { result, parts = [] } = verdicts[first] ?? {};
    if (result?.kind === 'failed') {
      lines.push(`${subject} fails for ${countRows(group, decided)}: ${result.reason}.`);
      continue;
    }
    const expression = cut(parts.map((part) => part.expression.replaceAll(/\s+/gu, ' ')).join('; '), MAX_EXPRESSION);
    const direct = tables.length === 0 ? '' : `. It reads ${tables.join(', ')} as ${decided.role.name} sees it.`;
    const read =
      indirect.length === 0 ? direct : `${direct === '' ? '.' : direct} ${describeIndirect(indirect, decided)}`;
    lines.push(`${subject} ${decided.effect} ${countRows(group, decided)}: ${expression}${read}`);
    for (const row of group.slice(0, MAX_NAMED)) {
      const values = describeValues(verdicts[row]?.parts ?? []);
      if (values !== '') lines.push(`  ${decided.labels[row] ?? ''}: ${values}`);
    }
  }
  return lines;
}

/** The rows of those tables are not looked up. */
function describeIndirect(indirect: readonly string[], { role }: DecidedRows): string {
  return `It may read ${indirect.join(', ')} as ${role.name} sees it, which was not examined.`;
}

/** Rows of the same cause share a sentence. */
function causeOf({ verdicts }: PolicyVerdicts, row: number): string {
  const { result, parts = [] } = verdicts[row] ?? {};
  return JSON.stringify([result?.kind === 'failed' ? result.reason : '', ...parts.map(({ expression }) => expression)]);
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

/** `2 rows (id=7, id=8)` */
export function countRows(
  rows: readonly number[],
  { labels, noun, isPartial = false }: Pick<DecidedRows, 'labels' | 'noun' | 'isPartial'>,
): string {
  const named = rows.slice(0, MAX_NAMED).map((row) => labels[row] ?? '');
  const rest = rows.length > MAX_NAMED ? ', …' : '';
  return `${isPartial ? 'at least ' : ''}${rows.length} ${noun}${rows.length === 1 ? '' : 's'} (${named.join(', ')}${rest})`;
}

/** Names a row by its key, or by what it contains. */
export function labelRow(key: readonly string[], values: readonly string[], literal: string): string {
  return key.length === 0 ? cut(literal) : key.map((name, index) => `${name}=${cut(values[index] ?? '')}`).join(' ');
}
