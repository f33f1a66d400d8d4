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
import { planRead } from './levels/plan-read.ts';
import { readContextOf, type PlanContext } from './actions/plan-context.ts';
import { planTransaction } from './actions/plan-transaction.ts';

export function planRelationRead(
  request: ApiRequest,
  action: Extract<Action, { kind: 'readRelation' }>,
  context: PlanContext,
): Result<ReadAction, ApiError> {
  const name = { schema: request.profile.schema, name: action.relation };
  const relation = findRelationOrFail(name, context);
  if (!relation.ok) return relation;
  const read = planRead(request.query, relation.value, request.range, readContextOf(context, name));
  if (!read.ok) return read;
  const output = planOutput(request, context, {
    read: read.value.plan,
    element: relation.value.name,
    elementKind: 'relation',
    isSet: true,
  });
  if (!output.ok) return output;
  const error = checkStrict(request.preferences);
  if (error !== undefined) return fail(error);
  const transaction = planTransaction(request, context, { access: 'read only', use: 'read', ineffective: [] });
  const canonical = request.query.canonical;
  const range = capRange(request.range, context.config.dbMaxRows);
  const leftovers = leftoversOfRead(read.value.plan, output.value.negotiated, context.cache);
  return ok({
    kind: 'read',
    read: read.value.plan,
    leftovers,
    contentType: output.value.negotiated.contentType,
    ...planDelivery({
      negotiated: output.value.negotiated,
      hasBody: !action.isHead,
      checks: output.value.checks,
      access: 'read only',
      read: read.value.plan,
      leftovers,
      isCountCertain: isRelationCountCertain(read.value.plan, leftovers, context.cache),
      relation: relation.value,
      count: planCount(request.preferences.count, request.range, context.config.dbMaxRows),
      range,
      mayStream: output.value.mayStream,
      isUtf8: context.cache.isUtf8,
      hasPreRequest: context.config.dbPreRequest !== undefined,
    }),
    checks: output.value.checks,
    range,
    isHead: action.isHead,
    legacyNames: read.value.legacyNames,
    contentLocation: `/${encodeURIComponent(action.relation)}${canonical === '' ? '' : `?${canonical}`}`,
    ...transaction,
  });
}
