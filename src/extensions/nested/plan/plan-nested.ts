// Plans a POST or PATCH whose body may contain related rows (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../../contract/result.ts';
import { sortedNames } from '../../../util/code-points.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { isOpening, OPEN_BRACE, OPEN_BRACKET, skipWhitespace } from '../../../request/payload/json-scanner.ts';
import type { Relation } from '../../../catalog/schema-cache.ts';
import type { Action, ApiRequest } from '../../../request/api-request.ts';
import type { JsonPayload } from '../../../request/payload/payload.ts';
import type { NestedList } from '../../../request/query/query-params.ts';
import { joinBytes } from '../../../util/join-bytes.ts';
import type { Slices } from '../../../util/slices.ts';
import type { MutateAction } from '../../../plan/actions/action-plan.ts';
import type { NestedAction, NestedPlan, OldColumns } from '../nested-plan.ts';
import type { PlanContext } from '../../../plan/actions/plan-context.ts';
import { findRelationOrFail } from '../../../plan/names/find-relation.ts';
import { planMutation } from '../../../plan/writes/plan-mutation.ts';
import { planChangedColumns } from '../../../plan/writes/plan-old-rows.ts';
import { hasKnownKey, WITHOUT_KEY } from './find-link.ts';
import { type NestedLevel, referencedColumns } from './level.ts';
import { type InsertContext, InsertPlanner } from './plan-inserts.ts';
import { planPatch, usedColumns } from './plan-patch.ts';
import { PatchReader } from './read-patch.ts';
import { type BodyContext, LevelReader, nestedRow, topLevel } from './read-levels.ts';

type MutateRequest = Extract<Action, { kind: 'mutateRelation' }>;

export interface NestedRequest extends ApiRequest {
  readonly payload: JsonPayload;
}

/** Whether the body may contain related rows. */
export function isNested(request: ApiRequest): request is NestedRequest {
  return request.payload?.kind === 'json' && request.payload.isNested === true;
}

export function* planNested(
  request: NestedRequest,
  action: MutateRequest,
  context: PlanContext,
): Slices<Result<MutateAction, ApiError>> {
  const relation = findRelationOrFail({ schema: request.profile.schema, name: action.relation }, context);
  if (!relation.ok) return relation;
  const text = joinBytes(request.payload.bytes);
  const start = skipWhitespace(text, 0);
  const target = { context, relation: relation.value, text, start };
  if (action.mutation === 'update' && text[start] === OPEN_BRACE) return yield* planPatchOf(request, action, target);
  return yield* planInserts(request, action, target);
}

/** The body of a PATCH is the object of one row. */
function* planPatchOf(
  request: NestedRequest,
  action: MutateRequest,
  target: NestedTarget,
): Slices<Result<MutateAction, ApiError>> {
  const { context, relation, start } = target;
  const read = yield* new PatchReader(bodyOf(request, target)).read(relation, start);
  if (!read.ok) return read;
  const { parent, changes } = read.value;
  const flat = planMutation({ ...request, payload: withoutRelated(request, parent) }, action, context);
  if (!flat.ok || changes.length === 0) return flat;
  const refusal = checkNested(flat.value) ?? checkShown(flat.value);
  if (refusal !== undefined) return fail(refusal);
  const { top, old } = separateOldRows(flat.value);
  const returned = shownColumns(top, usedColumns(read.value));
  // As in other updates, a resolution has no effect.
  const inserts = { ...insertContextOf(request, context), resolution: undefined };
  const planned = yield* planPatch(read.value, { flat: top, returned, old }, inserts);
  return planned.ok ? nest(top, request, { ...planned.value, returned }) : planned;
}

/** The keys to which rows refer do not identify the parent if its columns may refer to other rows. */
function checkShown({ relation, returnPreference }: MutateAction): ApiError | undefined {
  const isFound = relation.primaryKey.length > 0 || returnPreference !== 'representation';
  return isFound ? undefined : nestedRow('', WITHOUT_KEY);
}

/** The statement of the top level returns the old rows, and the last one of the request shows them like those of a merge. */
function separateOldRows(flat: MutateAction): { readonly top: MutateAction; readonly old: OldColumns | undefined } {
  const { changes, relation, read } = flat;
  if (changes === undefined || changes.kind === 'none') return { top: flat, old: undefined };
  const returning = planChangedColumns(read, relation, MERGED);
  const names = returning.kind === 'row' ? [...relation.columns.keys()] : returning.names;
  return { top: { ...flat, changes: MERGED, returning }, old: { names, rows: changes } };
}

const MERGED = { kind: 'merged' } as const;

function checkNested({ delivery, relation, condition, conflict }: MutateAction): ApiError | undefined {
  if (condition !== undefined) return { kind: 'notImplemented', feature: 'If-Match with nested=write' };
  if (conflict?.resolution === 'keep')
    return { kind: 'notImplemented', feature: 'resolution=keep-duplicates with nested=write' };
  if (delivery.kind === 'explain') return { kind: 'notImplemented', feature: 'execution plans of nested writes' };
  return hasKnownKey(relation) ? undefined : nestedRow('', WITHOUT_KEY);
}

interface NestedTarget {
  readonly context: PlanContext;
  readonly relation: Relation;
  /** The body. */
  readonly text: Uint8Array;
  /** Where its value begins. */
  readonly start: number;
}

function* planInserts(
  request: NestedRequest,
  action: MutateRequest,
  target: NestedTarget,
): Slices<Result<MutateAction, ApiError>> {
  const { context, relation, text, start } = target;
  const level = topLevel(relation, text, text[start] === OPEN_BRACKET);
  const read = yield* readBody(level, start, bodyOf(request, target));
  if (!read.ok) return read;
  const hasRelated = level.children.size > 0;
  const preferences = hasRelated ? withoutInserted(request) : request.preferences;
  const flat = planMutation({ ...request, preferences, payload: withoutRelated(request, level) }, action, context);
  if (!flat.ok || !hasRelated) return flat;
  const [related] = action.mutation === 'update' ? level.children.keys() : [];
  const refusal = related === undefined ? checkNested(flat.value) : nestedRow('', 'A nested PATCH has one object');
  if (refusal !== undefined) return fail(refusal);
  const planner = new InsertPlanner(insertContextOf(request, context));
  const { top, old } = separateOldRows(flat.value);
  const returned = shownColumns(top, referencedColumns(level));
  const task = yield* planner.addLevel(level, { conflict: top.conflict, returned, old, links: [] });
  if (!task.ok) return task;
  const hasJunctions = hasJunction(level);
  return nest(top, request, { tasks: planner.tasks, top: task.value, returned, hasJunctions });
}

function nest(
  flat: MutateAction,
  { preferences }: ApiRequest,
  { returned, ...plan }: Pick<NestedPlan, 'tasks' | 'top' | 'hasJunctions'> & { readonly returned: readonly string[] },
): Result<NestedAction, ApiError> {
  const { columns, primaryKey } = flat.relation;
  const names = primaryKey.length > 0 ? primaryKey.filter((name) => returned.includes(name)) : returned;
  // The rows could not be found again.
  if (names.length === 0 && flat.returnPreference === 'representation') return fail(nestedRow('', WITHOUT_KEY));
  const key = names.flatMap((name) => {
    const column = columns.get(name);
    return column === undefined ? [] : [{ column, reader: undefined, operation: undefined }];
  });
  const maxAffected = preferences.handling === 'strict' ? preferences.maxAffected : undefined;
  const checks = flat.checks.filter(({ kind }) => kind !== 'maxAffected');
  const listRelations = () => plan.tasks.flatMap(({ forms }) => forms.map(({ statement }) => statement.relation.name));
  return ok({ ...flat, checks, leftovers: 'all', parts: { ...plan, key, maxAffected, listRelations } });
}

/** Lists the columns of the top level that the response or other rows need. */
function shownColumns({ relation, returnPreference }: MutateAction, used: readonly string[]): readonly string[] {
  const key = returnPreference === 'minimal' ? [] : relation.primaryKey;
  return [...new Set([...key, ...used])];
}

function bodyOf({ profile, query }: NestedRequest, { context, text }: NestedTarget): BodyContext {
  const { cache, visible, config } = context;
  return {
    text,
    cache,
    visible,
    planContext: context,
    schema: profile.schema,
    maxDepth: config.nestedMaxDepth,
    maxRows: config.nestedMaxRows,
    columnsOf: listFinder(query, 'columns'),
  };
}

function* readBody(level: NestedLevel, start: number, context: BodyContext): Slices<Result<unknown, ApiError>> {
  const reader = new LevelReader(context);
  // A scalar contains no rows, as without nested rows.
  if (!isOpening(context.text[start])) return ok(undefined);
  return level.isList
    ? yield* reader.readRows(level, start, 0)
    : yield* reader.readRow(level, start, { parent: 0, index: 0 });
}

function withoutRelated({ payload, query }: NestedRequest, level: NestedLevel): JsonPayload {
  const keys = query.columns ?? level.rows.shapeOf(0).names;
  const bytes = level.rows.length === 0 ? [EMPTY_ARRAY] : payload.bytes;
  return { ...payload, bytes, keys: sortedNames(keys) };
}

/** The rows of a nested write are read again after it, when nothing tells the new ones from others. */
function withoutInserted({ preferences }: ApiRequest): ApiRequest['preferences'] {
  const { inserted: _inserted, ...others } = preferences;
  return others;
}

const EMPTY_ARRAY = Uint8Array.of(OPEN_BRACKET, OPEN_BRACKET + 2);

function insertContextOf({ preferences, query }: ApiRequest, planContext: PlanContext): InsertContext {
  const { resolution, missing } = preferences;
  return {
    planContext,
    resolution: resolution && (resolution === 'merge-duplicates' ? 'merge' : 'ignore'),
    appliesDefaults: missing === 'default',
    columnsOf: listFinder(query, 'columns'),
    targetOf: listFinder(query, 'on_conflict'),
  };
}

/** Returns a function that finds the list of a level. The first of several lists counts. */
function listFinder(
  { columns, onConflict, nestedLists = [] }: ApiRequest['query'],
  parameter: NestedList['parameter'],
) {
  const lists = new Map<string, readonly string[]>();
  const own = parameter === 'columns' ? columns : onConflict;
  if (own !== undefined) lists.set(JSON.stringify([]), own);
  for (const { path, value } of nestedLists) {
    const key = JSON.stringify(path);
    if (value.parameter === parameter && !lists.has(key)) lists.set(key, value.columns);
  }
  return (path: readonly string[]): readonly string[] | undefined => lists.get(JSON.stringify(path));
}

function hasJunction({ children }: NestedLevel): boolean {
  return [...children.values()].some((child) => child.link.placement === 'junction' || hasJunction(child));
}
