// Finds the unique index that decides the conflicts of an upsert (`writing.md` §5.1, `beyond.md` §2.4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Relation, UniqueIndex } from '../../catalog/schema-cache.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { ConflictTarget } from '../actions/action-plan.ts';
import type { PayloadTarget } from './plan-payload.ts';

/** @returns undefined if the relation has no primary key and the request names no target */
export function planConflictTarget(
  {
    onAnyConflict,
    onConflict,
    conflictIndex,
  }: Pick<ApiRequest['query'], 'onAnyConflict' | 'onConflict' | 'conflictIndex'>,
  { relation, context }: PayloadTarget,
): Result<ConflictTarget | 'any' | undefined, ApiError> {
  if (onAnyConflict === true) return ok('any');
  if (conflictIndex !== undefined) {
    const found = relation.uniqueIndexes.find((each) => each.name === conflictIndex);
    return found === undefined
      ? fail(noIndex(`'${relation.name.name}' has no valid unique index '${conflictIndex}'`))
      : ok(found);
  }
  if (onConflict !== undefined && context.config.extensions.upsert) return addPredicate(relation, onConflict);
  const columns = onConflict ?? relation.primaryKey;
  return ok(columns.length === 0 ? undefined : targetOf(columns));
}

export function targetOf(columns: readonly string[]): ConflictTarget {
  return { keys: columns.map((name) => ({ kind: 'column', name })), predicate: undefined, hasEqualNulls: false };
}

/** PostgreSQL considers a partial index only if its condition is given. */
function addPredicate({ uniqueIndexes }: Relation, columns: readonly string[]): Result<ConflictTarget, ApiError> {
  const names = new Set(columns);
  const covering = uniqueIndexes.filter((index) => covers(index, names));
  const isPartial = covering.length > 0 && covering.every(({ predicate }) => predicate !== undefined);
  const target: ConflictTarget = {
    ...targetOf(columns),
    hasEqualNulls: covering.some(({ hasEqualNulls }) => hasEqualNulls),
  };
  if (!isPartial) return ok(target);
  const [only, ...others] = covering;
  if (only !== undefined && others.length === 0) return ok({ ...target, predicate: only.predicate });
  const choices = covering.map(({ name }) => `on_conflict=!${name}`).join(', ');
  return fail(noIndex(`Several partial indexes cover these columns. Name one of them: ${choices}`));
}

function covers({ keys }: UniqueIndex, names: ReadonlySet<string>): boolean {
  const columns = new Set(keys.map((key) => (key.kind === 'column' ? key.name : undefined)));
  return columns.size === names.size && [...names].every((name) => columns.has(name));
}

function noIndex(detail: string): ApiError {
  const message = 'there is no unique or exclusion constraint matching the ON CONFLICT specification';
  return { kind: 'database', report: { sqlstate: '42P10', message, detail, hint: undefined } };
}
