// Plans what an insert does where rows exist already (`writing.md` §5, `beyond.md` §2.4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { ConflictPlan, ConflictTarget, PayloadPlan } from '../actions/action-plan.ts';
import { planConflictTarget, targetOf } from './plan-conflict-target.ts';
import { columnNotFound, type PayloadTarget } from './plan-payload.ts';

type Upsert = PayloadTarget & { readonly mutation: Mutation; readonly payload: PayloadPlan | undefined };

const RESOLUTIONS = {
  'merge-duplicates': 'merge',
  'ignore-duplicates': 'ignore',
  'keep-duplicates': 'keep',
} as const;

export function planConflict(request: ApiRequest, upsert: Upsert): Result<ConflictPlan | undefined, ApiError> {
  const error = checkMerge(request, upsert);
  if (error !== undefined) return fail(error);
  const { preferences, query } = request;
  const isPut = upsert.mutation === 'put';
  if (!isPut && (upsert.mutation !== 'insert' || preferences.resolution === undefined)) return ok(undefined);
  const target = isPut && query.conflictIndex === undefined ? ok(undefined) : planConflictTarget(query, upsert);
  if (!target.ok) return target;
  if (isPut) {
    // The URL identifies the row by its primary key, so an index must exist but has no effect.
    const isCounted = preferences.return === 'representation';
    const resolution = request.condition?.kind === 'absent' ? 'ignore' : 'merge';
    return ok({ target: targetOf(upsert.relation.primaryKey), merged: undefined, resolution, isCounted });
  }
  const resolution = RESOLUTIONS[preferences.resolution ?? 'merge-duplicates'];
  if (resolution !== 'ignore' && target.value === 'any')
    return fail({ kind: 'notImplemented', feature: `on_conflict=* with resolution=${preferences.resolution}` });
  if (target.value === undefined) return resolution === 'keep' ? fail(NO_TARGET) : ok(undefined);
  const isNamed = query.onConflict !== undefined || query.conflictIndex !== undefined;
  if (resolution === 'keep' && isNamed && target.value !== 'any' && hasGeneratedKey(target.value, upsert.relation))
    return fail({ kind: 'notImplemented', feature: 'resolution=keep-duplicates by a generated column' });
  return ok({ target: target.value, merged: query.merge, resolution, isCounted: resolution === 'merge' });
}

const NO_TARGET: ApiError = {
  kind: 'notImplemented',
  feature: 'resolution=keep-duplicates without a primary key or on_conflict',
};

/** Existing rows are found by keys that are known before the insert. */
function hasGeneratedKey({ keys }: ConflictTarget, { columns }: Relation): boolean {
  return keys.some((key) => key.kind === 'column' && columns.get(key.name)?.isGenerated === true);
}

/** Checks `merge`, which needs its resolution. */
function checkMerge(
  { preferences: { resolution }, query: { merge } }: ApiRequest,
  { mutation, payload, ...target }: Upsert,
): ApiError | undefined {
  if (merge === undefined) return undefined;
  if (mutation !== 'insert' || resolution !== 'merge-duplicates')
    return { kind: 'notImplemented', feature: 'merge without resolution=merge-duplicates' };
  const sent = new Set(payload?.columns.map(({ column }) => column.name));
  const unsent = merge.find((name) => !sent.has(name));
  return unsent === undefined ? undefined : columnNotFound(unsent, target);
}
