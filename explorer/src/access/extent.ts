// What a role may do with a relation: which rows and columns, and the policies that decide it.
import {
  type AccessDocument,
  type AccessPolicy,
  type AccessRelation,
  type AccessRights,
  type AccessRole,
  type ColumnRight,
  freedomOf,
} from '../../../src/contract/access-document.ts';

export type Operation = 'select' | 'insert' | 'update' | 'delete';

export const OPERATIONS: readonly Operation[] = ['select', 'insert', 'update', 'delete'];

/** One cell of the matrix. */
export interface Cell {
  readonly schema: string;
  readonly relation: AccessRelation;
  readonly role: AccessRole;
  readonly operation: Operation;
}

/**
 * `empty`: the role has the privilege, but no policy allows a row. `never`: no role can, whatever its privileges. `fails`:
 * the role may use the view, but its reader may not read a table of it.
 */
export interface Extent {
  readonly rows: 'none' | 'never' | 'empty' | 'fails' | 'some' | 'all';
  /** Undefined for all columns. */
  readonly columns: readonly string[] | undefined;
  /** Those that restrict the operation of the role. */
  readonly policies: readonly AccessPolicy[];
}

export function rightsOf(document: AccessDocument, relation: AccessRelation, role: AccessRole): AccessRights {
  return relation.rights[document.roles.indexOf(role)] ?? NO_RIGHTS;
}

const NO_RIGHTS: AccessRights = {
  select: false,
  insert: false,
  update: false,
  delete: false,
  isOwner: false,
  limits: [],
};

export function extentOf({ relation, role, operation }: Cell, rights: AccessRights): Extent {
  const right: ColumnRight = role.hasUsage && rights[operation];
  if (right === false) return { rows: 'none', columns: undefined, policies: [] };
  if (operation !== 'select' && relation.impossible.includes(operation))
    return { rows: 'never', columns: undefined, policies: [] };
  const columns = right === true ? undefined : right;
  if (relation.kind === 'view') return { rows: rowsOfView(operation, rights), columns, policies: [] };
  if (freedomOf(relation, role, rights) !== 'none') return { rows: 'all', columns, policies: [] };
  const policies = relation.policies.filter(
    ({ command, appliesTo }) => (command === 'all' || command === operation) && appliesTo.includes(role.name),
  );
  return { rows: rowsOf(policies, operation), columns, policies };
}

/** The policies of its tables decide. To change a row, the reader must see it. */
function rowsOfView(operation: Operation, { limits }: AccessRights): 'fails' | 'some' | 'all' {
  if (limits.some(({ isReadable }) => !isReadable)) return 'fails';
  return limitsOf(operation, limits).length > 0 ? 'some' : 'all';
}

/** Returns the tables whose policies restrict an operation on a view. */
export function limitsOf(operation: Operation, limits: AccessRights['limits']): AccessRights['limits'] {
  const needed: readonly Operation[] = operation === 'insert' ? ['insert'] : ['select', operation];
  return limits.filter(({ restricted }) => needed.some((one) => restricted.includes(one)));
}

function rowsOf(policies: readonly AccessPolicy[], operation: Operation): Extent['rows'] {
  const permissive = policies.filter((policy) => policy.isPermissive);
  if (permissive.length === 0) return 'empty';
  const isOpen = (policy: AccessPolicy): boolean => conditionsOf(policy, operation).every((one) => one === 'true');
  const isLimited = policies.some((policy) => !policy.isPermissive && !isOpen(policy));
  return !isLimited && permissive.some(isOpen) ? 'all' : 'some';
}

/** Returns the expressions that count for the operation: without WITH CHECK, USING counts for new rows as well. */
export function conditionsOf({ using, check }: AccessPolicy, operation: Operation): readonly string[] {
  const allowed = using ?? 'true';
  const written = check ?? allowed;
  if (operation === 'insert') return [written];
  return operation === 'update' && written !== allowed ? [allowed, written] : [allowed];
}
