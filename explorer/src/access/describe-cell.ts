// Puts a cell of the matrix into words.
import { type AccessPolicy, type AccessRights, freedomOf } from '../../../src/contract/access-document.ts';
import { type Cell, conditionsOf, type Extent, limitsOf, type Operation } from './extent.ts';

/** Short text of a cell: `all`, `rows`, `rows, cols`. */
export function labelOf({ rows, columns }: Extent): string {
  return columns === undefined || rows === 'none' ? LABELS[rows] : `${LABELS[rows]}, cols`;
}

const LABELS: Readonly<Record<Extent['rows'], string>> = {
  none: '–',
  never: 'never',
  empty: 'no rows',
  fails: 'fails',
  some: 'rows',
  all: 'all',
};

/** `demo_user: select on notes, some rows` */
export function titleOf({ role, relation, operation }: Cell, { rows, columns }: Extent): string {
  const limits = columns === undefined || rows === 'none' ? '' : ', some columns';
  return `${role.name}: ${operation} on ${relation.name}, ${EXTENTS[rows]}${limits}`;
}

const EXTENTS: Readonly<Record<Extent['rows'], string>> = {
  none: 'not allowed',
  never: 'not possible',
  empty: 'no rows',
  fails: 'fails',
  some: 'some rows',
  all: 'all rows',
};

/** Sentences that say what the role may do, and why. */
export function describeCell(cell: Cell, extent: Extent, rights: AccessRights): readonly string[] {
  const { role, relation, operation, schema } = cell;
  if (!role.hasUsage) return [`${role.name} lacks USAGE on the schema ${schema}, so it can use nothing in it.`];
  if (extent.rows === 'none')
    return [`${role.name} lacks the privilege ${operation.toUpperCase()} on ${relation.name}.`];
  if (extent.rows === 'never') return [describeNever(relation, operation)];
  const columns =
    extent.columns === undefined ? [] : [`${VERBS[operation]} only the columns ${extent.columns.join(', ')}.`];
  return [...columns, ...describeRows(cell, extent, rights), ...describeDependence(cell, rights)];
}

function describeNever({ name, kind }: Cell['relation'], operation: Operation): string {
  if (kind === 'materializedView') return `No role can ${operation} rows: a materialized view only changes by REFRESH.`;
  if (kind === 'view')
    return `No role can ${operation} rows: the view ${name} is not simple enough, and no INSTEAD OF trigger does it.`;
  return `No role can ${operation} rows: ${name} does not support it.`;
}

const VERBS: Readonly<Record<Operation, string>> = {
  select: 'Reads',
  insert: 'Sets',
  update: 'Changes',
  delete: 'Deletes',
};

function describeRows(cell: Cell, { rows, policies }: Extent, rights: AccessRights): readonly string[] {
  const { role, relation } = cell;
  switch (freedomOf(relation, role, rights)) {
    case 'view':
      return [
        relation.isInvoker
          ? `The view reads its tables with the privileges and policies of ${role.name}.`
          : `The view reads its tables with the privileges and policies of its owner, ${relation.owner}.`,
        ...describeLimits(cell, rights),
      ];
    case 'off':
      return [relation.kind === 'table' ? 'Row-level security is off: all rows.' : 'All rows.'];
    case 'superuser':
      return [`${role.name} is a superuser: no privilege and no policy restricts it.`];
    case 'bypass':
      return [`${role.name} has BYPASSRLS: no policy restricts it.`];
    case 'owner':
      return [`${role.name} owns the table, and row-level security is not forced: all rows.`];
    case 'none':
      return describePolicies(rows, policies);
  }
}

function describeLimits({ operation }: Cell, { limits }: AccessRights): readonly string[] {
  const unreadable = limits.filter(({ isReadable }) => !isReadable);
  if (unreadable.length > 0)
    return unreadable.map(
      ({ table, reader }) => `${reader} lacks the privilege SELECT on ${table}, so each request fails.`,
    );
  const restricting = limitsOf(operation, limits).map(({ table }) => table);
  return restricting.length === 0
    ? ['No policy restricts them: all rows.']
    : [`Policies restrict the rows of ${[...new Set(restricting)].join(', ')}.`];
}

function describePolicies(rows: Extent['rows'], policies: Extent['policies']): readonly string[] {
  if (rows === 'empty') return ['Row-level security is on, and no permissive policy applies: no rows.'];
  const isRestricted = policies.some(({ isPermissive }) => !isPermissive);
  const permissive = policies.filter(({ isPermissive }) => isPermissive).length;
  const allowed =
    permissive === 1 ? 'The permissive policy must allow a row' : 'One of the permissive policies must allow a row';
  return [`Row-level security is on. ${allowed}${isRestricted ? ', and every restrictive policy as well' : ''}.`];
}

function describeDependence({ relation, role, operation }: Cell, rights: AccessRights): readonly string[] {
  const dependsOnSelect = operation === 'update' || operation === 'delete';
  if (!dependsOnSelect || freedomOf(relation, role, rights) !== 'none') return [];
  return [`To ${operation} rows by a filter, the role must also see them: the policies for SELECT apply too.`];
}

export interface PolicyWords {
  readonly name: string;
  /** `Permissive, for all operations, to demo_user` */
  readonly scope: string;
  readonly conditions: readonly PolicyCondition[];
}

export interface PolicyCondition {
  readonly text: string;
  /** SQL; undefined if the text says it all. */
  readonly expression: string | undefined;
}

/** @param operation undefined for all conditions of the policy */
export function describePolicy(policy: AccessPolicy, operation: Operation | undefined): PolicyWords {
  const { name, command, isPermissive, roles } = policy;
  const range = command === 'all' ? 'all operations' : command.toUpperCase();
  const grantees = roles.includes('public') ? 'every role' : roles.join(', ');
  const scope = `${isPermissive ? 'Permissive' : 'Restrictive'}, for ${range}, to ${grantees}`;
  return { name, scope, conditions: listConditions(policy, operation ?? operationOf(command)) };
}

function operationOf(command: AccessPolicy['command']): Operation {
  return command === 'all' ? 'update' : command;
}

function listConditions(policy: AccessPolicy, operation: Operation): readonly PolicyCondition[] {
  const [first = 'true', second] = conditionsOf(policy, operation);
  if (operation === 'insert') return [describeCondition('New rows', first, policy.isPermissive)];
  const existing = describeCondition('Rows', first, policy.isPermissive);
  return second === undefined ? [existing] : [existing, describeCondition('Changed rows', second, policy.isPermissive)];
}

function describeCondition(subject: string, expression: string, isPermissive: boolean): PolicyCondition {
  const verb = isPermissive ? 'it allows' : 'it lets pass';
  if (expression === 'true') return { text: `${subject} that ${verb}: every row`, expression: undefined };
  if (expression === 'false') return { text: `${subject} that ${verb}: none`, expression: undefined };
  return { text: `${subject} that ${verb}: those where`, expression };
}
