// Maps the keys of a JSON body to the columns that a write sets, or fails at the first unknown key (`writing.md` §4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { PayloadColumn, PayloadPlan } from '../actions/action-plan.ts';
import type { PlanContext } from '../actions/plan-context.ts';
import { findReader } from '../levels/representations.ts';

export function planPayload(
  { payload, preferences }: ApiRequest,
  mutation: Mutation,
  { relation, context }: { readonly relation: Relation; readonly context: PlanContext },
): Result<PayloadPlan | undefined, ApiError> {
  if (payload?.kind !== 'json') return ok(undefined);
  const columns: PayloadColumn[] = [];
  for (const name of payload.keys) {
    const column = relation.columns.get(name);
    if (column === undefined) return fail({ kind: 'columnNotFound', column: name, relation: relation.name.name });
    columns.push({ column, reader: findReader(context.cache, column) });
  }
  const appliesDefaults = preferences.missing === 'default' && mutation !== 'put';
  const { bytes, isArray, batches } = payload;
  return ok({ bytes, isArray, columns, appliesDefaults, batches });
}
