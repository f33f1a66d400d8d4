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
import type { MutateAction } from '../../actions/action-plan.ts';
import type { NestedAction, NestedPlan } from '../../actions/nested-plan.ts';
import type { PlanContext } from '../../actions/plan-context.ts';
import { findRelationOrFail } from '../../names/find-relation.ts';
import { planMutation } from '../plan-mutation.ts';
import { hasKnownKey, WITHOUT_KEY } from './find-link.ts';
import { type NestedLevel, referencedColumns } from './level.ts';
import { type InsertContext, InsertPlanner } from './plan-inserts.ts';
import { type BodyContext, LevelReader, nestedRow, topLevel } from './read-levels.ts';

type MutateRequest = Extract<Action, { kind: 'mutateRelation' }>;

export interface NestedRequest extends ApiRequest {
  readonly payload: JsonPayload;
}

/** Whether the body may contain related rows. */
export function isNested(request: ApiRequest): request is NestedRequest {
  return request.payload?.kind === 'json' && request.payload.isNested === true;
}

export function planNested(
  request: NestedRequest,
  action: MutateRequest,
  context: PlanContext,
): Result<MutateAction, ApiError> {
  const relation = findRelationOrFail({ schema: request.profile.schema, name: action.relation }, context);
  if (!relation.ok) return relation;
  return planInserts(request, action, { context, relation: relation.value });
}

interface NestedTarget {
  readonly context: PlanContext;
  readonly relation: Relation;
}

function planInserts(
  request: NestedRequest,
  action: MutateRequest,
  { context, relation }: NestedTarget,
): Result<MutateAction, ApiError> {
  const level = topLevel(relation);
  const read = readBody(level, bodyOf(request, context));
  if (!read.ok) return read;
  const flat = planMutation({ ...request, payload: withoutRelated(request, level) }, action, context);
  if (!flat.ok || level.children.size === 0) return flat;
  if (flat.value.delivery.kind === 'explain')
    return fail({ kind: 'notImplemented', feature: 'execution plans of nested writes' });
  if (!hasKnownKey(relation)) return fail(nestedRow('', WITHOUT_KEY));
  const planner = new InsertPlanner(insertContextOf(request, context));
  const returned = shownColumns(flat.value, level);
  const top = planner.addLevel(level, { conflict: flat.value.conflict, returned, linksOf: () => [] });
  if (!top.ok) return top;
  const hasJunctions = hasJunction(level);
  return ok(nest(flat.value, request, { tasks: planner.tasks, top: top.value, returned, hasJunctions }));
}

function nest(
  flat: MutateAction,
  { preferences }: ApiRequest,
  { returned, ...plan }: Pick<NestedPlan, 'tasks' | 'top' | 'hasJunctions'> & { readonly returned: readonly string[] },
): NestedAction {
  const { columns } = flat.relation;
  const key = returned.flatMap((name) => {
    const column = columns.get(name);
    return column === undefined ? [] : [{ column, reader: undefined, operation: undefined }];
  });
  const maxAffected = preferences.handling === 'strict' ? preferences.maxAffected : undefined;
  const checks = flat.checks.filter(({ kind }) => kind !== 'maxAffected');
  return { ...flat, checks, leftovers: 'all', nested: { ...plan, key, maxAffected } };
}

/** Lists the columns of the top level that the response or other rows need. */
function shownColumns({ relation, returnPreference }: MutateAction, level: NestedLevel): readonly string[] {
  const key = returnPreference === 'minimal' ? [] : relation.primaryKey;
  return [...new Set([...key, ...referencedColumns(level)])];
}

function bodyOf({ payload, profile, query }: NestedRequest, context: PlanContext) {
  const { cache, visible, config } = context;
  return {
    text: joinBytes(payload.bytes),
    cache,
    visible,
    schema: profile.schema,
    maxDepth: config.nestedMaxDepth,
    columnsOf: listFinder(query, 'columns'),
  } satisfies BodyContext;
}

function readBody(level: NestedLevel, context: BodyContext): Result<undefined, ApiError> {
  const { text } = context;
  const span = { start: skipWhitespace(text, 0), end: text.length };
  const reader = new LevelReader(context);
  const place = { pointer: '', parent: 0 };
  // A scalar contains no rows, as without nested rows.
  if (!isOpening(text[span.start])) return ok(undefined);
  return text[span.start] === OPEN_BRACE ? reader.readRow(level, span, place) : reader.readRows(level, span, place);
}

/** Returns the payload of the top level. */
function withoutRelated({ payload, query }: NestedRequest, level: NestedLevel): JsonPayload {
  const keys = query.columns ?? [...(level.rows[0]?.members.keys() ?? [])];
  const bytes = level.rows.length === 0 ? [EMPTY_ARRAY] : payload.bytes;
  return { ...payload, bytes, keys: sortedNames(keys) };
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
