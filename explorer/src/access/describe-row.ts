// Puts the explanation of a row into words: one step after the other, as PostgreSQL decides.
import {
  type EvaluatedPolicy,
  freedomOf,
  type RowAction,
  type RowExplanation,
} from '../../../src/contract/access-document.ts';
import { spellIdentifier } from '../../../src/contract/identifiers.ts';
import { concerns } from './describe-verdict.ts';
import { qualify, renderPolicy } from './statements.ts';

export interface Step {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'limited' | 'unknown';
  readonly text: string;
  /** A policy's expression. */
  readonly expression?: string | undefined;
  /** The parts of it that are not true, with the values that they name. */
  readonly details?: readonly string[] | undefined;
  /** SQL that would change the result. */
  readonly sql?: string | undefined;
}

export function describeSteps(explanation: RowExplanation, schema: string): readonly Step[] {
  return [
    describeUsage(explanation, schema),
    describePrivilege(explanation, schema),
    ...describeColumns(explanation),
    ...describeRight(explanation, schema),
    describeLookup(explanation),
    describeRowSecurity(explanation),
    ...explanation.policies.map((policy) =>
      describeEvaluation(policy, {
        isDecisive: isDecisive(policy, explanation),
        isInsert: explanation.action === 'insert',
      }),
    ),
    ...commandsOf(explanation).flatMap((command) => describeMissingPolicy(explanation, command, schema)),
    ...describeChecks(explanation),
  ];
}

/** A request that changes a row finds it by its key, and one that inserts a row may return it, so it must also read it. */
function commandsOf({ action }: RowExplanation): readonly RowAction[] {
  return action === 'select' ? ['select'] : ['select', action];
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

/** The privilege to change or delete the row. */
function describeRight({ action, role, relation, rights }: RowExplanation, schema: string): readonly Step[] {
  if (action === 'select') return [];
  const right = rights[action];
  const privilege = action.toUpperCase();
  const title = `${privilege} on ${relation.name}`;
  if (relation.impossible.includes(action))
    return [{ title, state: 'failed', text: `PostgreSQL cannot ${action} rows of this relation.` }];
  if (right === true) return [{ title, state: 'passed', text: `${role.name} has ${privilege}.` }];
  const sql = `GRANT ${privilege} ON ${qualify(schema, relation.name)} TO ${spellIdentifier(role.name)};`;
  if (right === false) return [{ title, state: 'failed', text: `${role.name} lacks ${privilege}.`, sql }];
  const text = `${role.name} has ${privilege} on some columns: ${right.join(', ')}. Requests that set others fail.`;
  return [{ title, state: 'limited', text, sql }];
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
    case 'proposed':
      return row.unknown.length === 0
        ? {
            title,
            state: 'passed',
            text: 'Your values and the defaults of the other columns. No trigger has changed them.',
          }
        : {
            title,
            state: 'unknown',
            text: `The defaults of ${row.unknown.join(', ')} are known only after the insert. They count as null here.`,
          };
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

/** Whether the policy says no: a permissive one does unless another one for the same command allows the row. */
function isDecisive(policy: EvaluatedPolicy, explanation: RowExplanation): boolean {
  if (!policy.isPermissive) return true;
  const isAllowed = (command: RowAction): boolean =>
    explanation.policies.some((one) => one.isPermissive && concerns(one, command) && one.result.kind === 'true');
  return commandsOf(explanation).some((command) => concerns(policy, command) && !isAllowed(command));
}

interface Weight {
  readonly isDecisive: boolean;
  readonly isInsert: boolean;
}

function describeEvaluation(policy: EvaluatedPolicy, { isDecisive, isInsert }: Weight): Step {
  const { name, command, isPermissive, using, result } = policy;
  // A policy for all commands decides on the insert and on returning the row.
  const purpose = isInsert ? ` for ${command.toUpperCase()}` : '';
  const title = `${isPermissive ? 'Permissive' : 'Restrictive'} policy ${name}${purpose}`;
  const expression = using === 'true' ? undefined : using;
  const details = describeParts(policy);
  switch (result.kind) {
    case 'true':
      return { title, state: 'passed', text: 'True for this row.', expression };
    case 'false':
      return { title, state: isDecisive ? 'failed' : 'limited', text: 'False for this row.', expression, details };
    case 'null':
      return {
        title,
        state: isDecisive ? 'failed' : 'limited',
        text: 'Null, which counts as false.',
        expression,
        details,
      };
    case 'failed':
      return { title, state: 'failed', text: `Fails: ${result.reason}.`, expression };
    case 'skipped':
      return { title, state: 'unknown', text: 'Not evaluated.', expression };
  }
}

/** Says which of several parts are not true; of a single one, only the values. */
function describeParts({ parts, using }: EvaluatedPolicy): readonly string[] {
  const isWhole = parts.length === 1 && !/\bAND\b/u.test(using);
  return parts.flatMap(({ expression, isNull, values }) => {
    const named = values.map(({ name, value }) => `${name} is ${value === null ? 'null' : JSON.stringify(value)}`);
    const result = isWhole ? [] : [`${expression} is ${isNull ? 'null' : 'false'}`];
    return result.length + named.length === 0 ? [] : [`${[...result, ...named].join(', ')}.`];
  });
}

function describeMissingPolicy(explanation: RowExplanation, command: RowAction, schema: string): readonly Step[] {
  const { relation, role, rights, policies } = explanation;
  const isAllowing = policies.some((policy) => policy.isPermissive && concerns(policy, command));
  if (freedomOf(relation, role, rights) !== 'none' || isAllowing) return [];
  const sql = renderPolicy({ schema, relation, role, operation: command });
  const privilege = command.toUpperCase();
  const title = command === 'select' ? 'Policies' : `Policies for ${privilege}`;
  return [
    { title, state: 'failed', text: `No permissive policy for ${privilege} applies to ${role.name}: no rows.`, sql },
  ];
}

/** What an update must also fulfil, which depends on the new values. */
function describeChecks({ action, policies }: RowExplanation): readonly Step[] {
  if (action !== 'update') return [];
  return policies.flatMap(({ name, command, check }) => {
    if (check === null || command === 'select') return [];
    const text = 'The row must also fulfil it after the change.';
    return [{ title: `WITH CHECK of ${name}`, state: 'limited', text, expression: check } as const];
  });
}
