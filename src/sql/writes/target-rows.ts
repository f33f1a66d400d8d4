// Renders which rows a write concerns, and what it returns of them.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { MutateAction } from '../../plan/actions/action-plan.ts';
import { renderCondition } from '../levels/condition.ts';
import type { Scope } from '../levels/scope.ts';
import { renderVersionTest } from './row-version.ts';

export function renderWhere(action: MutateAction, scope: Scope): string {
  return action.where.map((condition) => renderCondition(condition, scope, () => 'TRUE')).join(' AND ');
}

/** The rows to change, in the version that the client expects. */
export function renderTarget(action: MutateAction, scope: Scope): string {
  const test = renderVersionTest(action.condition, scope.ref, scope.builder);
  return [renderWhere(action, scope), ...(test === undefined ? [] : [test])].join(' AND ');
}

export function renderReturnedColumns({ returning, relation }: MutateAction): string | undefined {
  if (returning === undefined) return undefined;
  const ref = quoteIdentifier(relation.name.name);
  if (returning.kind === 'row') return `${ref}.*`;
  const columns = returning.names.map((name) => `${ref}.${quoteIdentifier(name)}`);
  return columns.length > 0 ? columns.join(', ') : undefined;
}
