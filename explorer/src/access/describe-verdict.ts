// The verdict on a row: whether the role sees it, or may change it, and why.
import {
  type EvaluatedPolicy,
  freedomOf,
  type RowAction,
  type RowExplanation,
} from '../../../src/contract/access-document.ts';

export interface Verdict {
  readonly tone: 'success' | 'warning' | 'danger';
  readonly title: string;
  readonly reason: string;
}

const VERBS: Readonly<Record<RowAction, string>> = {
  select: 'see',
  insert: 'insert',
  update: 'change',
  delete: 'delete',
};

export function describeVerdict(explanation: RowExplanation): Verdict {
  const { action } = explanation;
  if (action === 'insert') return describeInsert(explanation);
  const sight = describeSight(explanation);
  return action === 'select' || sight.tone !== 'success' ? sight : describeChange(explanation, action);
}

/** Whether a policy is one of those for a command. */
export function concerns({ command }: EvaluatedPolicy, action: RowAction): boolean {
  return command === 'all' || command === action;
}

function describeSight(explanation: RowExplanation): Verdict {
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
  return {
    tone: 'warning',
    title: `${role.name} does not see this row.`,
    reason: findReason(explanation, 'select'),
  };
}

/** Whether the policies for a command allow the row. */
function isAllowedBy(policies: readonly EvaluatedPolicy[], action: RowAction): boolean {
  const own = policies.filter((policy) => concerns(policy, action));
  const isTrue = ({ result }: EvaluatedPolicy): boolean => result.kind === 'true';
  return (
    own.every((each) => each.isPermissive || isTrue(each)) && own.some((each) => each.isPermissive && isTrue(each))
  );
}

function describeInsert(explanation: RowExplanation): Verdict {
  const { role, relation, rights, row, outcome, policies } = explanation;
  const refuse = (reason: string): Verdict => ({
    tone: 'warning',
    title: `${role.name} cannot insert this row.`,
    reason,
  });
  if (outcome.kind === 'failed')
    return { tone: 'danger', title: `The request of ${role.name} fails.`, reason: `PostgreSQL: ${outcome.reason}.` };
  if (relation.impossible.includes('insert')) return refuse(`PostgreSQL cannot insert rows of ${relation.name}.`);
  if (!role.hasUsage) return refuse('It lacks USAGE on the schema.');
  const { insert } = rights;
  if (insert === false) return refuse(`It lacks the privilege INSERT on ${relation.name}.`);
  if (row.kind === 'unreadable')
    return { tone: 'danger', title: 'This is no row of the table.', reason: `PostgreSQL: ${row.reason}.` };
  const given = row.kind === 'proposed' ? row.columns : [];
  const missing = insert === true ? [] : given.filter((column) => !insert.includes(column));
  if (missing.length > 0) return refuse(`It lacks the privilege INSERT on the columns ${missing.join(', ')}.`);
  const freedom = freedomOf(relation, role, rights);
  if (freedom === 'view')
    return {
      tone: 'warning',
      title: `Whether ${role.name} can insert this row is not known.`,
      reason: 'The tables of the view decide. Ask about them.',
    };
  if (freedom === 'none' && !isAllowedBy(policies, 'insert')) return refuse(findReason(explanation, 'insert'));
  if (rights.select === false || (freedom === 'none' && !isAllowedBy(policies, 'select')))
    return {
      tone: 'warning',
      title: `${role.name} can insert this row, but not return it.`,
      reason: `A request with Prefer: return=representation fails. ${rights.select === false ? 'It lacks the privilege SELECT.' : findReason(explanation, 'select')}`,
    };
  return {
    tone: 'success',
    title: `${role.name} can insert this row.`,
    reason: 'A request with these values succeeds, unless a constraint or a trigger refuses it.',
  };
}

/** Of a row that the role sees. */
function describeChange(explanation: RowExplanation, action: 'update' | 'delete'): Verdict {
  const { role, relation, rights, row, policies } = explanation;
  const privilege = action.toUpperCase();
  const refuse = (reason: string): Verdict => ({
    tone: 'warning',
    title: `${role.name} sees this row, but cannot ${VERBS[action]} it.`,
    reason,
  });
  if (relation.impossible.includes(action)) return refuse(`PostgreSQL cannot ${action} rows of ${relation.name}.`);
  if (rights[action] === false) return refuse(`It lacks the privilege ${privilege} on ${relation.name}.`);
  const freedom = freedomOf(relation, role, rights);
  const isUndecided = freedom === 'view' || (freedom === 'none' && row.kind !== 'found');
  if (isUndecided)
    return {
      tone: 'warning',
      title: `${role.name} sees this row. Whether it can ${VERBS[action]} it is not known.`,
      reason: findDoubt(explanation, freedom === 'view'),
    };
  if (freedom === 'none' && !isAllowedBy(policies, action)) return refuse(findReason(explanation, action));
  const conditions = action === 'update' ? 'WITH CHECK, a constraint or a trigger' : 'a constraint or a trigger';
  return {
    tone: 'success',
    title: `${role.name} can ${VERBS[action]} this row.`,
    reason: `A request with its key succeeds, unless ${conditions} refuses it.`,
  };
}

function findDoubt(explanation: RowExplanation, isView: boolean): string {
  if (isView) return 'The tables of the view decide. Ask about them.';
  const { row, inspector } = explanation;
  if (row.kind === 'several') return 'Several rows match. Enter a key that identifies one row.';
  return `The role ${inspector.name} cannot read the row.${adviseInspection(explanation)}`;
}

/** A role that no policy restricts reads every row of a table, so a row that it does not find does not exist. */
function isKnownMissing({ relation, role, rights, row, outcome }: RowExplanation): boolean {
  const freedom = freedomOf(relation, role, rights);
  return row.kind === 'missing' || (outcome.kind === 'hidden' && freedom !== 'none' && freedom !== 'view');
}

function findBlindReason({ relation, role, rights, policies, inspector }: RowExplanation): string {
  if (
    freedomOf(relation, role, rights) === 'none' &&
    !policies.some((policy) => policy.isPermissive && concerns(policy, 'select'))
  )
    return 'Row-level security is on, and no permissive policy applies to the role, so it sees no rows.';
  return `The role ${inspector.name} cannot tell: it does not see the row either.`;
}

function adviseInspection({ inspector }: RowExplanation): string {
  return inspector.isLogin
    ? ' To look for the row as its owner, start rowhouse dev with --inspect-uri.'
    : ' Use an --inspect-uri whose role owns the table or is a superuser.';
}

function findReason({ relation, role, rights, policies }: RowExplanation, action: RowAction): string {
  if (freedomOf(relation, role, rights) === 'view') return 'The view or its tables leave it out. Ask about its tables.';
  const own = policies.filter((policy) => concerns(policy, action));
  const permissive = own.filter(({ isPermissive }) => isPermissive);
  const purpose = action === 'select' ? '' : ` for ${action.toUpperCase()}`;
  if (permissive.length === 0)
    return `Row-level security is on, and no permissive policy${purpose} applies to the role.`;
  const rejecting = own.filter(({ isPermissive, result }) => !isPermissive && isRejection(result.kind));
  if (rejecting.length > 0) return `Rejected by the restrictive policy ${listNames(rejecting)}.`;
  return permissive.every(({ result }) => isRejection(result.kind))
    ? `None of the permissive policies${purpose} allows it: ${listNames(permissive)}.`
    : 'The policies could not be evaluated for the row, but they hide it.';
}

function isRejection(kind: EvaluatedPolicy['result']['kind']): boolean {
  return kind === 'false' || kind === 'null';
}

function listNames(policies: readonly EvaluatedPolicy[]): string {
  return policies.map(({ name }) => name).join(', ');
}
