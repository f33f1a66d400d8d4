// Maps the keys of a JSON body to the columns that a write sets, or fails at the first unknown key (`writing.md` §4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { PayloadColumn, PayloadPlan } from '../actions/action-plan.ts';
import type { PlanContext } from '../actions/plan-context.ts';
import { isColumnVisible } from '../../catalog/visible-names.ts';
import { suggest } from '../../util/suggest.ts';
import { findReader } from '../levels/representations.ts';

const MINIMUM_SIMILARITY = 0.7;

export function planPayload(
  { payload, preferences }: ApiRequest,
  mutation: Mutation,
  { relation, context }: { readonly relation: Relation; readonly context: PlanContext },
): Result<PayloadPlan | undefined, ApiError> {
  if (payload?.kind !== 'json') return ok(undefined);
  const columns: PayloadColumn[] = [];
  for (const name of payload.keys) {
    const column = relation.columns.get(name);
    if (column === undefined) return fail(columnNotFound(name, relation, context));
    columns.push({ column, reader: findReader(context.cache, column) });
  }
  const appliesDefaults = preferences.missing === 'default' && mutation !== 'put';
  const { bytes, isArray, batches } = payload;
  return ok({ bytes, isArray, columns, appliesDefaults, batches });
}

function columnNotFound(column: string, { name, columns }: Relation, { visible }: PlanContext): ApiError {
  const isVisible = (other: string): boolean => isColumnVisible(visible, name, other);
  const suggestion = suggest(columns, column, { minimum: MINIMUM_SIMILARITY, isVisible });
  return { kind: 'columnNotFound', column, relation: name.name, suggestion };
}
