// Plans GET and HEAD on a relation (`reading.md`).
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Action, ApiRequest } from '../request/api-request.ts';
import { capRange } from '../request/range.ts';
import type { ReadAction } from './actions/action-plan.ts';
import { isRelationCountCertain } from './actions/certain-count.ts';
import { leftoversOfRead } from './actions/leftovers.ts';
import { findRelationOrFail } from './names/find-relation.ts';
import { planCount } from './actions/plan-count.ts';
import { planDelivery } from './actions/plan-delivery.ts';
import { checkStrict, planOutput } from './actions/plan-output.ts';
import { isRowKey } from './levels/filters-by-key.ts';
import { planRead } from './levels/plan-read.ts';
import type { ReadPlan } from './levels/read-plan.ts';
import { readContextOf, type PlanContext } from './actions/plan-context.ts';
import { planTransaction } from './actions/plan-transaction.ts';

export function planRelationRead(
  request: ApiRequest,
  action: Extract<Action, { kind: 'readRelation' }>,
  context: PlanContext,
): Result<ReadAction, ApiError> {
  const { cache, config, seams } = context;
  const name = { schema: request.profile.schema, name: action.relation };
  const found = findRelationOrFail(name, context);
  if (!found.ok) return found;
  const relation = found.value;
  const planned = planRead(request, relation, readContextOf(context, name));
  if (!planned.ok) return planned;
  const range = capRange(request.range, config.dbMaxRows);
  const paged = request.paging && seams.planPages?.(request.paging, { read: planned.value.plan, relation, range });
  if (paged?.ok === false) return paged;
  const read = paged?.value.read ?? planned.value.plan;
  const paging = paged?.value.paging;
  const output = planOutput(request, context, {
    read,
    element: relation.name,
    elementKind: 'relation',
    isSet: true,
    events: request.paging === undefined && context.events?.has('rows') === true ? 'rows' : undefined,
  });
  if (!output.ok) return output;
  const error = checkStrict(request.preferences);
  if (error !== undefined) return fail(error);
  const { negotiated, checks, mayStream } = output.value;
  const leftovers = leftoversOfRead(read, negotiated, cache);
  const isByKey = isRowKey(read.where, relation);
  // The version of the row is part of its entity tag (`beyond.md` §1.7).
  const isVersioned =
    isByKey &&
    seams.returnsVersions === true &&
    !action.isHead &&
    !request.isLongQuery &&
    paging?.linkQuery === undefined;
  const count = planCount(request.preferences.count, request.range, config.dbMaxRows);
  const { canonical } = request.query;
  const location = `/${encodeURIComponent(action.relation)}${canonical === '' ? '' : `?${canonical}`}`;
  return ok({
    kind: 'read',
    read,
    paging,
    leftovers,
    contentType: negotiated.contentType,
    ...planDelivery({
      negotiated,
      hasBody: !action.isHead,
      checks,
      access: 'read only',
      read,
      leftovers,
      isCountCertain: isRelationCountCertain(read, leftovers, cache),
      relation,
      // A page beyond the first does not contain all rows, even without a limit.
      count: count.kind === 'page' && paging?.position !== undefined ? { kind: 'exact' } : count,
      range,
      mayStream: mayStream && paging === undefined,
      cache,
      needsHead: config.dbPreRequest !== undefined || paging?.linkQuery !== undefined || isVersioned,
    }),
    checks,
    range,
    isHead: action.isHead,
    legacyNames: planned.value.legacyNames,
    ...(negotiated.events !== undefined && { events: negotiated.events }),
    contentLocation: request.isLongQuery ? undefined : location,
    isVersioned,
    isCostConstant:
      isByKey && relation.kind === 'table' && relation.isPlain && leftovers === 'none' && isPlainRow(read),
    ...planTransaction(request, context, 'read only', 'read', []),
  });
}

/** Whether nothing but the columns of the row is computed. */
function isPlainRow({ select, embeds, order, isGrouped, distinct }: ReadPlan): boolean {
  const isStored = select.every(
    (item) => item.kind === 'all' || (item.kind === 'column' && item.field.score === undefined),
  );
  return isStored && embeds.length === 0 && order.length === 0 && !isGrouped && distinct === undefined;
}
