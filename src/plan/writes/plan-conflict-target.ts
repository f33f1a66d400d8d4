// Finds the unique index that decides the conflicts of an upsert (`writing.md` §5.1, `beyond.md` §2.4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Relation, UniqueIndex } from '../../catalog/schema-cache.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { ConflictTarget } from '../actions/action-plan.ts';
import type { PayloadTarget } from './plan-payload.ts';

type ConflictParams = Pick<ApiRequest['query'], 'onAnyConflict' | 'onConflict' | 'conflictIndex'>;

/** @returns undefined if the relation has no primary key and the request names no target */
export function planConflictTarget(
  { onAnyConflict, onConflict, conflictIndex }: ConflictParams,
  { relation, context }: PayloadTarget,
): Result<ConflictTarget | 'any' | undefined, ApiError> {
  if (onAnyConflict === true) return ok('any');
  if (conflictIndex !== undefined) return findIndex(relation, conflictIndex);
  if (onConflict !== undefined && context.config.extensions.upsert) return addPredicate(relation, onConflict);
  const columns = onConflict ?? relation.primaryKey;
  return ok(columns.length === 0 ? undefined : targetOf(columns));
}

export function targetOf(columns: readonly string[]): ConflictTarget {
  return { keys: columns.map((name) => ({ kind: 'column', name })), predicate: undefined, hasEqualNulls: false };
}

function findIndex({ name, uniqueIndexes }: Relation, index: string): Result<ConflictTarget, ApiError> {
  const found = uniqueIndexes.find((each) => each.name === index);
  return found === undefined ? fail(noIndex(`'${name.name}' has no valid unique index '${index}'`)) : ok(found);
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
