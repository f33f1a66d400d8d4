// Plans GET and HEAD on a relation (`reading.md`).
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Relation } from '../catalog/schema-cache.ts';
import type { Action, ApiRequest } from '../request/api-request.ts';
import { capRange } from '../request/range.ts';
import type { CountPlan, PagingPlan, ReadAction } from './actions/action-plan.ts';
import { isRelationCountCertain } from './actions/certain-count.ts';
import { leftoversOfRead } from './actions/leftovers.ts';
import { findRelationOrFail } from './names/find-relation.ts';
import { planCount } from './actions/plan-count.ts';
import { planDelivery } from './actions/plan-delivery.ts';
import { checkStrict, planOutput, type PlannedOutput } from './actions/plan-output.ts';
import { isRowKey } from './levels/filters-by-key.ts';
import { planRead, type PlannedRead } from './levels/plan-read.ts';
import type { ReadPlan } from './levels/read-plan.ts';
import { readContextOf, type PlanContext } from './actions/plan-context.ts';
import { planTransaction } from './actions/plan-transaction.ts';

type ReadRequest = Extract<Action, { kind: 'readRelation' }>;

export function planRelationRead(
  request: ApiRequest,
  action: ReadRequest,
  context: PlanContext,
): Result<ReadAction, ApiError> {
  const name = { schema: request.profile.schema, name: action.relation };
  const relation = findRelationOrFail(name, context);
  if (!relation.ok) return relation;
  const planned = planRead(request, relation.value, readContextOf(context, name));
  if (!planned.ok) return planned;
  const read = paginate(request, planned.value, relation.value, context);
  if (!read.ok) return read;
  const output = planOutput(request, context, {
    read: read.value.plan,
    element: relation.value.name,
    elementKind: 'relation',
    isSet: true,
    events: request.paging === undefined && context.events?.has('rows') === true ? 'rows' : undefined,
  });
  if (!output.ok) return output;
  const error = checkStrict(request.preferences);
  if (error !== undefined) return fail(error);
  return ok(
    buildAction(request, context, { action, relation: relation.value, read: read.value, output: output.value }),
  );
}

interface PagedRead extends PlannedRead {
  readonly paging: PagingPlan | undefined;
}

function paginate(
  { paging: page, range }: ApiRequest,
  read: PlannedRead,
  relation: Relation,
  context: PlanContext,
): Result<PagedRead, ApiError> {
  const { seams, config } = context;
  const planned =
    page && seams.planPages?.(page, { read: read.plan, relation, range: capRange(range, config.dbMaxRows) });
  if (planned === undefined) return ok({ ...read, paging: undefined });
  return planned.ok ? ok({ ...read, plan: planned.value.read, paging: planned.value.paging }) : planned;
}

interface PlannedParts {
  readonly action: ReadRequest;
  readonly relation: Relation;
  readonly read: PagedRead;
  readonly output: PlannedOutput;
}

function buildAction(request: ApiRequest, context: PlanContext, parts: PlannedParts): ReadAction {
  const { action, relation, read, output } = parts;
  const { plan, paging } = read;
  const { negotiated, checks, mayStream } = output;
  const range = capRange(request.range, context.config.dbMaxRows);
  const leftovers = leftoversOfRead(plan, negotiated, context.cache);
  const isByKey = isRowKey(plan.where, relation);
  // The version of the row is part of its entity tag (`beyond.md` §1.7).
  const isVersioned =
    isByKey &&
    context.seams.returnsVersions === true &&
    !action.isHead &&
    !request.isLongQuery &&
    paging?.linkQuery === undefined;
  return {
    kind: 'read',
    read: plan,
    paging,
    leftovers,
    contentType: negotiated.contentType,
    ...planDelivery({
      negotiated,
      hasBody: !action.isHead,
      checks,
      access: 'read only',
      read: plan,
      leftovers,
      isCountCertain: isRelationCountCertain(plan, leftovers, context.cache),
      relation,
      count: planPageCount(request, context, paging),
      range,
      mayStream: mayStream && paging === undefined,
      cache: context.cache,
      needsHead: context.config.dbPreRequest !== undefined || paging?.linkQuery !== undefined || isVersioned,
    }),
    checks,
    range,
    isHead: action.isHead,
    legacyNames: read.legacyNames,
    ...(negotiated.events !== undefined && { events: negotiated.events }),
    contentLocation: request.isLongQuery ? undefined : locationOf(action, request),
    isVersioned,
    isCostConstant:
      isByKey && relation.kind === 'table' && relation.isPlain && leftovers === 'none' && isPlainRow(plan),
    ...planTransaction(request, context, { access: 'read only', use: 'read', ineffective: [] }),
  };
}

/** Whether nothing but the columns of the row is computed. */
function isPlainRow({ select, embeds, order, isGrouped, distinct }: ReadPlan): boolean {
  const isStored = select.every(
    (item) => item.kind === 'all' || (item.kind === 'column' && item.field.score === undefined),
  );
  return isStored && embeds.length === 0 && order.length === 0 && !isGrouped && distinct === undefined;
}

/** A page beyond the first does not contain all rows, even without a limit. */
function planPageCount({ preferences, range }: ApiRequest, { config }: PlanContext, paging?: PagingPlan): CountPlan {
  const count = planCount(preferences.count, range, config.dbMaxRows);
  return count.kind === 'page' && paging?.position !== undefined ? { kind: 'exact' } : count;
}

function locationOf({ relation }: ReadRequest, { query: { canonical } }: ApiRequest): string {
  return `/${encodeURIComponent(relation)}${canonical === '' ? '' : `?${canonical}`}`;
}
