// Plans POST, PATCH, PUT and DELETE on a relation (`writing.md` §4-§9).
import type { QualifiedName } from '../../contract/identifiers.ts';
import { isPlainEquality, isRowKey } from '../levels/filters-by-key.ts';
import { sortedNames } from '../../util/code-points.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { Action, ApiRequest, Mutation } from '../../request/api-request.ts';
import type { PreferenceName } from '../../request/preferences.ts';
import { FULL_RANGE } from '../../request/range.ts';
import type { ConditionPlan, MutateAction, OldRows, OutcomeCheck, PayloadPlan } from '../actions/action-plan.ts';
import { findRelationOrFail } from '../names/find-relation.ts';
import { leftoversOfMutation } from '../actions/leftovers.ts';
import { planWholeDelivery } from '../actions/plan-delivery.ts';
import { aggregates, checkRelatedAggregates, checkTopLevel, isHaving } from '../levels/check-levels.ts';
import { resolveRelated } from '../levels/resolve-related.ts';
import { type FieldContext, planCondition } from '../levels/plan-condition.ts';
import { readContextOf, type PlanContext } from '../actions/plan-context.ts';
import { checkStrict, planOutput, type PlannedOutput } from '../actions/plan-output.ts';
import { planRepresentation, type PlannedRead } from '../levels/plan-read.ts';
import { planTransaction } from '../actions/plan-transaction.ts';
import type { LogicNode } from '../../request/query/query-params.ts';
import type { Condition } from '../levels/read-plan.ts';
import { planRowSource, type RowSource } from '../levels/row-source.ts';
import { planChangedColumns, planChanges, wantsChanges } from './plan-old-rows.ts';
import { needsStoredArray } from './plan-operation.ts';
import { planWrittenRows, type WrittenRowsPlan } from './plan-written-rows.ts';

export function planMutation(
  request: ApiRequest,
  action: Extract<Action, { kind: 'mutateRelation' }>,
  context: PlanContext,
): Result<MutateAction, ApiError> {
  const name = { schema: request.profile.schema, name: action.relation };
  const relation = findRelationOrFail(name, context);
  if (!relation.ok) return relation;
  const read = planRepresentation(request.query, relation.value, readContextOf(context, name));
  if (!read.ok) return read;
  if (action.mutation === 'put' && !isKeyFilter(request, relation.value)) return fail({ kind: 'putFilters' });
  const where = planWhere(request, relation.value, action.mutation, name, context);
  if (!where.ok) return where;
  const target = { relation: relation.value, context, read: read.value.plan };
  const written = planWrittenRows(request, action.mutation, target);
  if (!written.ok) return written;
  const preferenceError = checkStrict(request.preferences);
  if (preferenceError !== undefined) return fail(preferenceError);
  const rows = { read: target.read, element: target.relation.name, elementKind: 'relation', isSet: true } as const;
  const output = planOutput(request, target.context, rows);
  if (!output.ok) return output;
  const unsupported = checkStreamedPayload(request, output.value);
  if (unsupported !== undefined) return fail(unsupported);
  const parts = { relation: relation.value, where: where.value };
  const { payload } = written.value;
  const changes = planChanges(request, { mutation: action.mutation, ...target, ...written.value, ...output.value });
  if (!changes.ok) return changes;
  const condition = planWriteCondition(request, { mutation: action.mutation, payload, ...parts });
  if (!condition.ok) return condition;
  return ok(
    assemble(request, action.mutation, {
      ...parts,
      context,
      condition: condition.value,
      read: read.value,
      written: written.value,
      changes: changes.value,
      output: output.value,
    }),
  );
}

/** Filters on embeds do not restrict the rows to write. */
function ownConditions({ filters, logic, having }: ApiRequest['query']): readonly LogicNode[] {
  return [...filters, ...logic, ...having].flatMap(({ path, value }) => (path.length === 0 ? [value] : []));
}

function checkFilter(query: ApiRequest['query'], mutation: Mutation, { config }: PlanContext): ApiError | undefined {
  const own = ownConditions(query);
  if (!config.dbAggregatesEnabled && own.some(aggregates)) return { kind: 'aggregatesDisabled' };
  if (own.some(isHaving))
    return { kind: 'notImplemented', feature: 'Aggregates are not available in filters of writes.' };
  if (query.distinct.some(({ path }) => path.length === 0))
    return { kind: 'notImplemented', feature: 'distinct is not available for the rows of writes.' };
  const error = checkRelatedAggregates(own) ?? checkTopLevel(own);
  if (error !== undefined) return error;
  if (!config.dbSafeUpdate || (mutation !== 'update' && mutation !== 'delete')) return undefined;
  if (own.length > 0 || query.match !== undefined) return undefined;
  return { kind: 'writeUnfiltered', method: mutation === 'update' ? 'PATCH' : 'DELETE' };
}

/** Streamed rows are never held together, and their statement runs once per batch. */
function checkStreamedPayload(request: ApiRequest, { negotiated }: PlannedOutput): ApiError | undefined {
  const { payload, preferences } = request;
  if (payload?.kind !== 'json' || payload.batches === undefined) return undefined;
  if (preferences.return === 'representation')
    return { kind: 'notImplemented', feature: 'return=representation of rows that are inserted while they arrive' };
  if (wantsChanges(request, 'insert'))
    return { kind: 'notImplemented', feature: 'return=changes of rows that are inserted while they arrive' };
  if (negotiated.plan !== undefined)
    return { kind: 'notImplemented', feature: 'execution plans of rows that are inserted while they arrive' };
  return undefined;
}

interface MutationParts {
  readonly context: PlanContext;
  readonly relation: Relation;
  readonly where: readonly Condition[];
  readonly read: PlannedRead;
  readonly written: WrittenRowsPlan;
  readonly changes: OldRows | undefined;
  readonly condition: ConditionPlan | undefined;
  readonly output: PlannedOutput;
}

function assemble(request: ApiRequest, mutation: Mutation, parts: MutationParts): MutateAction {
  const { context, relation, read, written, changes, output } = parts;
  const { payload, conflict } = written;
  const returnPreference = returnPreferenceOf(request, changes);
  const isCounted = request.preferences.count === 'exact' || request.preferences.count === 'estimated';
  const wantsLocation = mutation === 'insert' && returnPreference === 'headers-only';
  const source = sourceOf(parts);
  const ineffective = ineffectivePreferences(request, mutation, parts);
  const planned = {
    mutation,
    relation,
    where: mutation === 'insert' ? [] : parts.where,
    conflict,
    condition: parts.condition,
    read: read.plan,
  };
  return {
    kind: 'mutate',
    ...planned,
    leftovers: leftoversOfMutation({ ...planned, negotiated: output.negotiated }, context.cache),
    payload,
    changes,
    showsInserted: written.showsInserted,
    returning: returnPreference === 'minimal' ? undefined : source,
    locationKey: wantsLocation ? orderKey(relation, source) : [],
    returnPreference,
    // Joins with the rows of embeds change the order in which rows were written.
    keepsOrder:
      mutation === 'insert' &&
      returnPreference === 'representation' &&
      payload?.isArray === true &&
      read.plan.embeds.length > 0 &&
      read.plan.order.length === 0 &&
      !read.plan.isGrouped,
    checks: planChecks(request, mutation, parts),
    // The response to a streamed body always reports the number of rows (`beyond.md` §2.5).
    count: {
      kind: isCounted || (request.payload?.kind === 'json' && request.payload.batches !== undefined) ? 'page' : 'none',
    },
    contentType: output.negotiated.contentType,
    delivery: planWholeDelivery(output.negotiated, returnPreference === 'representation'),
    range: FULL_RANGE,
    isHead: false,
    legacyNames: read.legacyNames,
    ...planTransaction(request, context, 'read write', mutation, ineffective),
  };
}

function sourceOf({ relation, read, changes }: MutationParts): RowSource {
  if (changes === undefined) return planRowSource(read.plan, relation.primaryKey);
  return planChangedColumns(read.plan, relation, changes);
}

/** Elsewhere than on the writes that have it, `return=changes` is ignored. */
function returnPreferenceOf(
  { preferences }: ApiRequest,
  changes: OldRows | undefined,
): MutateAction['returnPreference'] {
  if (changes !== undefined) return 'representation';
  return preferences.return === undefined || preferences.return === 'changes' ? 'minimal' : preferences.return;
}

/** Embed names are not presence tests here: the statement sees only its own columns (`writing.md` §9.1). */
function planWhere(
  { query }: ApiRequest,
  relation: Relation,
  mutation: Mutation,
  name: QualifiedName,
  context: PlanContext,
): Result<readonly Condition[], ApiError> {
  const error = checkFilter(query, mutation, context);
  if (error !== undefined) return fail(error);
  const nodes = ownConditions(query);
  const related = resolveRelated(nodes, { relation, embeds: [], context: readContextOf(context, name) });
  if (!related.ok) return related;
  const { cache } = context;
  const fields: FieldContext = { cache, relation, parent: undefined, embeds: new Map(), related: related.value };
  return ok(nodes.map((node) => planCondition(node, fields)));
}

/** Returns the key columns in the order of the returned row (`writing.md` §4.4). */
function orderKey({ columns, primaryKey }: Relation, source: RowSource): readonly string[] {
  if (source.kind === 'columns') return sortedNames(primaryKey);
  return [...columns.keys()].filter((column) => primaryKey.includes(column));
}

function planChecks(
  { preferences, payload }: ApiRequest,
  mutation: Mutation,
  { condition, written, output }: MutationParts,
): readonly OutcomeCheck[] {
  const checks: OutcomeCheck[] = [];
  // It comes first, because a condition that fails explains why nothing was written.
  if (condition !== undefined) checks.push({ kind: 'condition', condition });
  if (mutation === 'put') checks.push({ kind: 'putKey' });
  if (written.payload?.elements !== undefined) checks.push({ kind: 'elements' });
  checks.push(...output.checks);
  // Appending and removing need stored JSON that is an array (`beyond.md` §2.6).
  if (written.payload?.elements === undefined && written.payload?.columns.some(needsStoredArray))
    checks.push({ kind: 'storedArrays' });
  const isCounting = mutation === 'update' || mutation === 'delete' || isNesting(payload);
  if (isCounting && preferences.handling === 'strict' && preferences.maxAffected !== undefined)
    checks.push({ kind: 'maxAffected', maximum: preferences.maxAffected });
  return checks;
}

/** Whether the body could contain related rows (`beyond.md` §2.2). */
function isNesting(payload: ApiRequest['payload']): boolean {
  return payload?.kind === 'json' && payload.isNested === true;
}

function ineffectivePreferences(
  { preferences, query, payload: body }: ApiRequest,
  mutation: Mutation,
  { relation, changes, written: { conflict, payload, showsInserted } }: MutationParts,
): readonly PreferenceName[] {
  const names: PreferenceName[] = [];
  const hasTarget = relation.primaryKey.length > 0 || query.onConflict !== undefined;
  if (conflict === undefined && !hasTarget) names.push('resolution');
  if (preferences.return === 'changes' && changes === undefined) names.push('return');
  if (!showsInserted) names.push('inserted');
  if (payload?.elements === undefined) names.push('unmatched');
  if (!isNesting(body)) names.push('nested');
  if (preferences.handling !== 'strict' || (mutation === 'insert' && !isNesting(body))) names.push('maxAffected');
  return names;
}

/**
 * Whether the filters are one plain `eq` per primary-key column and nothing else: those of a PUT must identify the one
 * row to create or replace (`writing.md` §6.1).
 */
function isKeyFilter({ query }: ApiRequest, { primaryKey }: Relation): boolean {
  const columns = new Set(query.filters.map(({ value }) => value.field.column));
  return (
    primaryKey.length > 0 &&
    query.logic.length === 0 &&
    query.filters.length === primaryKey.length &&
    query.filters.every(({ path, value }) => path.length === 0 && isPlainEquality(value)) &&
    primaryKey.every((column) => columns.has(column))
  );
}

interface ConditionalWrite {
  readonly relation: Relation;
  readonly mutation: Mutation;
  readonly where: readonly Condition[];
  readonly payload: PayloadPlan | undefined;
}

/**
 * Decides whether the condition of a write can be checked: the write must concern one row of a table, by its whole
 * primary key (`beyond.md` §1.7).
 */
function planWriteCondition(
  { condition }: ApiRequest,
  { relation, mutation, where, payload }: ConditionalWrite,
): Result<ConditionPlan | undefined, ApiError> {
  if (condition === undefined) return ok(undefined);
  if (condition.kind === 'unsupported') return fail({ kind: 'notImplemented', feature: condition.feature });
  const isOneRow = isRowKey(where, relation) && payload?.elements === undefined;
  if (!isOneRow) return fail({ kind: 'notImplemented', feature: NO_KEY });
  const changesNothing = mutation === 'update' && payload?.columns.length === 0;
  return ok({ ...condition, isReported: mutation === 'put' || changesNothing });
}

const NO_KEY =
  'Conditions (If-Match, If-None-Match) are checked only for one row of a table, with eq filters on its primary key and no others';
