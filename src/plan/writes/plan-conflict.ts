// Plans what an insert does where rows exist already (`writing.md` §5, `beyond.md` §2.4).
import type { Relation } from '../../catalog/schema-cache.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { ConflictPlan, PayloadPlan } from '../actions/action-plan.ts';
import { columnNotFound, type PayloadTarget } from './plan-payload.ts';

export function planConflict(
  { preferences, query, condition }: ApiRequest,
  mutation: Mutation,
  { primaryKey }: Relation,
): ConflictPlan | undefined {
  if (mutation === 'put') {
    const isCounted = preferences.return === 'representation';
    const resolution = condition?.kind === 'absent' ? 'ignore' : 'merge';
    return { target: primaryKey, merged: undefined, resolution, isCounted };
  }
  const target = query.onAnyConflict === true ? 'any' : (query.onConflict ?? primaryKey);
  if (mutation !== 'insert' || preferences.resolution === undefined || target.length === 0) return undefined;
  const resolution = preferences.resolution === 'merge-duplicates' ? 'merge' : 'ignore';
  return { target, merged: query.merge, resolution, isCounted: resolution === 'merge' };
}

/** Checks `on_conflict=*` and `merge`, which each need their resolution. */
export function checkUpsert(
  { preferences: { resolution }, query: { onAnyConflict, merge } }: ApiRequest,
  mutation: Mutation,
  { payload, ...target }: PayloadTarget & { readonly payload: PayloadPlan | undefined },
): ApiError | undefined {
  const merges = mutation === 'insert' && resolution === 'merge-duplicates';
  if (merges && onAnyConflict === true)
    return { kind: 'notImplemented', feature: 'on_conflict=* with resolution=merge-duplicates' };
  if (merge === undefined) return undefined;
  if (!merges) return { kind: 'notImplemented', feature: 'merge without resolution=merge-duplicates' };
  const sent = new Set(payload?.columns.map(({ column }) => column.name));
  const unsent = merge.find((name) => !sent.has(name));
  return unsent === undefined ? undefined : columnNotFound(unsent, target);
}
