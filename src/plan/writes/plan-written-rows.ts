// Plans the rows that a write takes from its body, what happens where they exist, and whether it shows that.
import { type Column, findRelation, type SchemaCache } from '../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { findReader } from '../levels/representations.ts';
import { planConflictTarget, targetOf } from './plan-conflict-target.ts';
import { planOperation } from './plan-operation.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { ConflictPlan, ElementColumn, MutateAction, PayloadColumn, PayloadPlan } from '../actions/action-plan.ts';
import type { ReadPlan } from '../levels/read-plan.ts';
import { columnNotFound, type PayloadTarget, planPayload } from './plan-payload.ts';
import type { Elements, JsonPayload } from '../../request/payload/payload.ts';

export type WrittenRowsPlan = Pick<MutateAction, 'payload' | 'conflict' | 'showsInserted'>;

/** @param target with the plan of the rows to show */
export function planWrittenRows(
  request: ApiRequest,
  mutation: Mutation,
  { read, ...target }: PayloadTarget & { readonly read: ReadPlan },
): Result<WrittenRowsPlan, ApiError> {
  const { payload: body } = request;
  // The elements of the body may find rows.
  const payload =
    body?.kind === 'json' && body.elements !== undefined
      ? planElements(request, { ...body, elements: body.elements }, target)
      : planPayload(request, mutation, target);
  if (!payload.ok) return payload;
  const conflict = planConflict(request, { ...target, mutation, payload: payload.value });
  if (!conflict.ok) return conflict;
  const showsInserted = planInserted(request, mutation, read, target.context.cache);
  if (!showsInserted.ok) return showsInserted;
  return ok({ payload: payload.value, conflict: conflict.value, showsInserted: showsInserted.value });
}

/** Plans a PATCH whose elements find their rows by the columns in `match` (`beyond.md` §2.3). */
function planElements(
  { query: { match = [] }, preferences }: ApiRequest,
  payload: JsonPayload & { readonly elements: Elements },
  target: PayloadTarget,
): Result<PayloadPlan, ApiError> {
  const matched: PayloadColumn[] = [];
  for (const name of new Set(match)) {
    const column = findColumn(name, target);
    if (!column.ok) return column;
    matched.push({
      column: column.value,
      reader: findReader(target.context.cache, column.value),
      operation: undefined,
    });
  }
  const changes: ElementColumn[] = [];
  for (const key of payload.keys) {
    if (match.includes(key)) continue;
    const change = planChange(key, payload.elements, target);
    if (!change.ok) return change;
    changes.push(change.value);
  }
  const { bytes, isArray } = payload;
  return ok({
    bytes,
    isArray,
    columns: changes,
    appliesDefaults: preferences.missing === 'default',
    batches: undefined,
    elements: { match: matched, changes, isComplete: preferences.unmatched === 'fail' },
  });
}

function planChange(key: string, elements: Elements, target: PayloadTarget): Result<ElementColumn, ApiError> {
  const given = elements.operations.get(key);
  const column = findColumn(given?.column ?? key, target);
  if (!column.ok) return column;
  const reader = findReader(target.context.cache, column.value);
  const operation = given === undefined ? ok(undefined) : planOperation(column.value, given, reader !== undefined);
  if (!operation.ok) return operation;
  return ok({
    column: column.value,
    // Operands are values of PostgreSQL's types, not of the column's representation.
    reader: operation.value ? undefined : reader,
    operation: operation.value,
    key,
    isOptional: !elements.common.has(key),
  });
}

function findColumn(name: string, target: PayloadTarget): Result<Column, ApiError> {
  const column = target.relation.columns.get(name);
  return column === undefined ? fail(columnNotFound(name, target)) : ok(column);
}

type Upsert = PayloadTarget & { readonly mutation: Mutation; readonly payload: PayloadPlan | undefined };

const RESOLUTIONS = {
  'merge-duplicates': 'merge',
  'ignore-duplicates': 'ignore',
  'keep-duplicates': 'keep',
} as const;

/** Plans what an insert does where rows exist already (`writing.md` §5, `beyond.md` §2.4). */
function planConflict(request: ApiRequest, upsert: Upsert): Result<ConflictPlan | undefined, ApiError> {
  const error = checkMerge(request, upsert);
  if (error !== undefined) return fail(error);
  const { preferences, query } = request;
  const isPut = upsert.mutation === 'put';
  if (!isPut && (upsert.mutation !== 'insert' || preferences.resolution === undefined)) return ok(undefined);
  const target = isPut && query.conflictIndex === undefined ? ok(undefined) : planConflictTarget(query, upsert);
  if (!target.ok) return target;
  if (isPut) {
    // The URL identifies the row by its primary key, so an index must exist but has no effect.
    const isCounted = preferences.return === 'representation' || preferences.return === 'changes';
    const resolution = request.condition?.kind === 'absent' ? 'ignore' : 'merge';
    return ok({ target: targetOf(upsert.relation.primaryKey), merged: undefined, resolution, isCounted });
  }
  const resolution = RESOLUTIONS[preferences.resolution ?? 'merge-duplicates'];
  if (resolution !== 'ignore' && target.value === 'any')
    return fail({ kind: 'notImplemented', feature: `on_conflict=* with resolution=${preferences.resolution}` });
  if (target.value === undefined) return resolution === 'keep' ? fail(NO_TARGET) : ok(undefined);
  const isNamed = query.onConflict !== undefined || query.conflictIndex !== undefined;
  // Existing rows are found by keys that are known before the insert.
  if (
    resolution === 'keep' &&
    isNamed &&
    target.value !== 'any' &&
    target.value.keys.some(
      (key) => key.kind === 'column' && upsert.relation.columns.get(key.name)?.isGenerated === true,
    )
  )
    return fail({ kind: 'notImplemented', feature: 'resolution=keep-duplicates by a generated column' });
  return ok({ target: target.value, merged: query.merge, resolution, isCounted: resolution === 'merge' });
}

const NO_TARGET: ApiError = {
  kind: 'notImplemented',
  feature: 'resolution=keep-duplicates without a primary key or on_conflict',
};

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

export const INSERTED_KEY = 'inserted';

/** Decides whether the rows of an insert show if they are new (`Prefer: inserted=true`, `beyond.md` §2.4). */
function planInserted(
  { preferences }: ApiRequest,
  mutation: Mutation,
  read: ReadPlan,
  cache: SchemaCache,
): Result<boolean, ApiError> {
  const isInsert = mutation === 'insert' || mutation === 'put';
  if (preferences.inserted === undefined || !isInsert || preferences.return !== 'representation') return ok(false);
  if (read.isGrouped) return fail({ kind: 'notImplemented', feature: 'inserted=true with aggregates' });
  if (!showsKey(read, cache)) return ok(true);
  return fail({ kind: 'notImplemented', feature: `inserted=true with a selected key '${INSERTED_KEY}'` });
}

function showsKey(read: ReadPlan, cache: SchemaCache): boolean {
  return (
    read.select.some((item) =>
      item.kind === 'all' ? findRelation(cache, read.relation)?.columns.has(INSERTED_KEY) : item.key === INSERTED_KEY,
    ) ||
    read.embeds.some(({ shape, key, read: embedded }) =>
      shape === 'spread' ? showsKey(embedded, cache) : shape === 'nested' && key === INSERTED_KEY,
    )
  );
}
