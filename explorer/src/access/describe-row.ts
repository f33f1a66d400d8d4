// Puts the explanation of a row into words: one step after the other, as PostgreSQL decides, and the verdict.
import type { EvaluatedPolicy, RowExplanation } from '../../../src/contract/access-document.ts';
import { spellIdentifier } from '../../../src/contract/identifiers.ts';
import { freedomOf } from './extent.ts';
import { qualify, renderPolicy } from './statements.ts';

export interface Step {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'limited' | 'unknown';
  readonly text: string;
  /** A policy's expression. */
  readonly expression?: string | undefined;
  /** SQL that would change the result. */
  readonly sql?: string | undefined;
}

export interface Verdict {
  readonly tone: 'success' | 'warning' | 'danger';
  readonly title: string;
  readonly reason: string;
}

export function describeSteps(explanation: RowExplanation, schema: string): readonly Step[] {
  return [
    describeUsage(explanation, schema),
    describePrivilege(explanation, schema),
    ...describeColumns(explanation),
    describeLookup(explanation),
    describeRowSecurity(explanation),
    ...explanation.policies.map((policy) => describeEvaluation(policy, isDecisive(policy, explanation))),
    ...describeMissingPolicy(explanation, schema),
  ];
}

function describeUsage({ role }: RowExplanation, schema: string): Step {
  const title = `Schema ${schema}`;
  if (role.hasUsage) return { title, state: 'passed', text: `${role.name} has USAGE.` };
  const sql = `GRANT USAGE ON SCHEMA ${spellIdentifier(schema)} TO ${spellIdentifier(role.name)};`;
  return { title, state: 'failed', text: `${role.name} lacks USAGE, so it can use nothing in the schema.`, sql };
}

function describePrivilege({ role, relation, rights: { select } }: RowExplanation, schema: string): Step {
  const title = `Privilege on ${relation.name}`;
  if (select === true) return { title, state: 'passed', text: `${role.name} has SELECT.` };
  const sql = `GRANT SELECT ON ${qualify(schema, relation.name)} TO ${spellIdentifier(role.name)};`;
  return select === false
    ? { title, state: 'failed', text: `${role.name} lacks SELECT.`, sql }
    : { title, state: 'limited', text: `${role.name} has SELECT on some columns: ${select.join(', ')}.`, sql };
}

function describeColumns({ rights: { select }, hiddenColumns }: RowExplanation): readonly Step[] {
  if (typeof select === 'boolean' || hiddenColumns.length === 0) return [];
  const text = `Requests that read or filter by ${hiddenColumns.join(', ')} fail.`;
  return [{ title: 'Columns', state: 'limited', text }];
}

function describeLookup({ row, inspector: { name } }: RowExplanation): Step {
  const title = 'The row';
  switch (row.kind) {
    case 'found':
      return { title, state: 'passed', text: `The row exists: ${name} can read it.` };
    case 'missing':
      return { title, state: 'failed', text: `There is no row with this key: ${name} reads all rows and finds none.` };
    case 'unseen':
      return { title, state: 'unknown', text: `${name} finds no row with this key, but policies restrict it as well.` };
    case 'several':
      return { title, state: 'unknown', text: 'Several rows match. Enter a key that identifies one row.' };
    case 'unreadable':
      return { title, state: 'unknown', text: `${name} cannot look for it: ${row.reason}.` };
  }
}

function describeRowSecurity({ relation, role, rights }: RowExplanation): Step {
  const title = 'Row-level security';
  switch (freedomOf(relation, role, rights)) {
    case 'view': {
      const reader = relation.isInvoker ? role.name : `its owner, ${relation.owner}`;
      return { title, state: 'limited', text: `A view has no policies. It reads its tables as ${reader}.` };
    }
    case 'off':
      return { title, state: 'passed', text: 'It is off, so policies hide no rows.' };
    case 'superuser':
      return { title, state: 'passed', text: `${role.name} is a superuser, whom no policy restricts.` };
    case 'bypass':
      return { title, state: 'passed', text: `${role.name} has BYPASSRLS, so no policy restricts it.` };
    case 'owner':
      return { title, state: 'passed', text: `${role.name} owns the table, and row-level security is not forced.` };
    case 'none':
      return { title, state: 'limited', text: 'It is on: the policies below decide.' };
  }
}

/** Whether the policy says no: a permissive one does unless another one allows the row. */
function isDecisive({ isPermissive }: EvaluatedPolicy, { policies }: RowExplanation): boolean {
  return !isPermissive || !policies.some((other) => other.isPermissive && other.result.kind === 'true');
}

function describeEvaluation({ name, isPermissive, using, result }: EvaluatedPolicy, isDecisive: boolean): Step {
  const title = `${isPermissive ? 'Permissive' : 'Restrictive'} policy ${name}`;
  const expression = using === 'true' ? undefined : using;
  switch (result.kind) {
    case 'true':
      return { title, state: 'passed', text: 'True for this row.', expression };
    case 'false':
      return { title, state: isDecisive ? 'failed' : 'limited', text: 'False for this row.', expression };
    case 'null':
      return { title, state: isDecisive ? 'failed' : 'limited', text: 'Null, which counts as false.', expression };
    case 'failed':
      return { title, state: 'failed', text: `Fails: ${result.reason}.`, expression };
    case 'skipped':
      return { title, state: 'unknown', text: 'Not evaluated.', expression };
  }
}

function describeMissingPolicy(explanation: RowExplanation, schema: string): readonly Step[] {
  const { relation, role, rights, policies } = explanation;
  if (freedomOf(relation, role, rights) !== 'none' || policies.some(({ isPermissive }) => isPermissive)) return [];
  const sql = renderPolicy({ schema, relation, role, operation: 'select' });
  return [
    {
      title: 'Policies',
      state: 'failed',
      text: `No permissive policy for SELECT applies to ${role.name}: no rows.`,
      sql,
    },
  ];
}

export function describeVerdict(explanation: RowExplanation): Verdict {
  const { role, row, outcome, hiddenColumns } = explanation;
  if (outcome.kind === 'visible') {
    const limits = hiddenColumns.length === 0 ? '' : ', but not all its columns';
    return {
      tone: 'success',
      title: `${role.name} sees this row${limits}.`,
      reason: 'A request with its key returns it.',
    };
  }
  if (outcome.kind === 'failed')
    return { tone: 'danger', title: `The request of ${role.name} fails.`, reason: `PostgreSQL: ${outcome.reason}.` };
  if (isKnownMissing(explanation))
    return { tone: 'warning', title: 'There is no such row.', reason: 'Check the key. The row may have been deleted.' };
  if (row.kind === 'unseen' || row.kind === 'unreadable')
    return {
      tone: 'warning',
      title: `${role.name} does not see this row, if it exists.`,
      reason: `${findBlindReason(explanation)}${adviseInspection(explanation)}`,
    };
  return { tone: 'warning', title: `${role.name} does not see this row.`, reason: findReason(explanation) };
}

/** A role that no policy restricts reads every row of a table, so a row that it does not find does not exist. */
function isKnownMissing({ relation, role, rights, row, outcome }: RowExplanation): boolean {
  const freedom = freedomOf(relation, role, rights);
  return row.kind === 'missing' || (outcome.kind === 'hidden' && freedom !== 'none' && freedom !== 'view');
}

function findBlindReason({ relation, role, rights, policies, inspector }: RowExplanation): string {
  if (freedomOf(relation, role, rights) === 'none' && !policies.some(({ isPermissive }) => isPermissive))
    return 'Row-level security is on, and no permissive policy applies to the role, so it sees no rows.';
  return `The role ${inspector.name} cannot tell: it does not see the row either.`;
}

function adviseInspection({ inspector }: RowExplanation): string {
  return inspector.isLogin
    ? ' To look for the row as its owner, start rowhouse dev with --inspect-uri.'
    : ' Use an --inspect-uri whose role owns the table or is a superuser.';
}

function findReason({ relation, role, rights, policies }: RowExplanation): string {
  if (freedomOf(relation, role, rights) === 'view') return 'The view or its tables leave it out. Ask about its tables.';
  const permissive = policies.filter(({ isPermissive }) => isPermissive);
  if (permissive.length === 0) return 'Row-level security is on, and no permissive policy applies to the role.';
  const rejecting = policies.filter(({ isPermissive, result }) => !isPermissive && isRejection(result.kind));
  if (rejecting.length > 0) return `Rejected by the restrictive policy ${listNames(rejecting)}.`;
  return permissive.every(({ result }) => isRejection(result.kind))
    ? `None of the permissive policies allows it: ${listNames(permissive)}.`
    : 'The policies could not be evaluated for the row, but they hide it.';
}

function isRejection(kind: EvaluatedPolicy['result']['kind']): boolean {
  return kind === 'false' || kind === 'null';
}

function listNames(policies: readonly EvaluatedPolicy[]): string {
  return policies.map(({ name }) => name).join(', ');
}
