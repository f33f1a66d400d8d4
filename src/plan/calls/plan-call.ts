// Plans GET, HEAD and POST on a function (`writing.md` §14).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import {
  type Column,
  findRelation,
  findRoutines,
  type Relation,
  type Routine,
  type RowNames,
  type SchemaCache,
} from '../../catalog/schema-cache.ts';
import type { Action, ApiRequest } from '../../request/api-request.ts';
import type { PreferenceName, Preferences } from '../../request/preferences.ts';
import { isDistinctName } from '../../request/query/distinct.ts';
import { SCORE } from '../../request/query/score.ts';
import { capRange } from '../../request/range.ts';
import type { CallAction, OutcomeCheck } from '../actions/action-plan.ts';
import { argumentNames, planArguments, routineContentTypeOf } from './plan-arguments.ts';
import { resolveRoutine, type ResolvedRoutine } from './overload.ts';
import { isCallCountCertain } from '../actions/certain-count.ts';
import { planCount } from '../actions/plan-count.ts';
import { planDelivery } from '../actions/plan-delivery.ts';
import { checkStrict, planOutput, type OutputSubject, type PlannedOutput } from '../actions/plan-output.ts';
import { planRead, type PlannedRead } from '../levels/plan-read.ts';
import { isSpelledType } from '../levels/plan-spelling.ts';
import { readContextOf, type PlanContext } from '../actions/plan-context.ts';
import type { EventSubject } from '../negotiation/negotiate.ts';
import { planTransaction } from '../actions/plan-transaction.ts';
import type { ReadPlan } from '../levels/read-plan.ts';
import { filteredColumns, planRowSource, type RowSource } from '../levels/row-source.ts';

type CallRequest = Extract<Action, { kind: 'callRoutine' }>;

export function planCall(given: ApiRequest, action: CallRequest, context: PlanContext): Result<CallAction, ApiError> {
  const name = { schema: given.profile.schema, name: action.routine };
  const settled = settleParameters(given, findRoutines(context.cache, name));
  if (!settled.ok) return settled;
  const request = settled.value;
  const found = resolveRoutine({
    cache: context.cache,
    visible: context.visible,
    name,
    argumentNames: argumentNames(request),
    method: action.method === 'post' ? 'post' : 'get',
    contentType: routineContentTypeOf(request.payload),
    singleObject: request.preferences.params !== undefined,
  });
  if (!found.ok) return found;
  const { routine } = found.value;
  const relation = resultRelation(context.cache, routine);
  const read = planRead(request, relation, readContextOf(context, name));
  if (!read.ok) return read;
  const output = planOutput(request, context, {
    read: read.value.plan,
    isSet: isSetResult(routine),
    events: eventsOf(routine, action, context),
    ...handlerOwner(context.cache, routine),
  });
  if (!output.ok) return output;
  const error =
    checkStrict(request.preferences) ??
    (isLimited(request.preferences) && !isSetResult(routine) ? { kind: 'maxAffectedNeedsSet' } : undefined);
  if (error !== undefined) return fail(error);
  return ok(
    buildAction(request, context, { action, call: found.value, relation, read: read.value, output: output.value }),
  );
}

interface PlannedParts {
  readonly action: CallRequest;
  readonly call: ResolvedRoutine;
  /** Relation whose rows the function returns, or a stand-in with its result columns. */
  readonly relation: Relation;
  readonly read: PlannedRead;
  readonly output: PlannedOutput;
}

function buildAction(request: ApiRequest, context: PlanContext, parts: PlannedParts): CallAction {
  const { routine, passing } = parts.call;
  const { plan, legacyNames } = parts.read;
  const rowNames = findRowNames(context.cache, routine);
  return {
    kind: 'call',
    routine,
    arguments: planArguments(request, routine, passing),
    read: plan,
    rowType: findRowType(context.cache, routine),
    computedColumns: rowNames?.computedColumns ?? NO_NAMES,
    source: planSource(plan, rowNames),
    isolation: routine.isolation,
    // The isolation level always applies, as part of BEGIN (`operating.md` §4.6, §4.8).
    settings: routine.settings.filter(
      ([name]) => name !== 'default_transaction_isolation' && context.config.dbHoistedTxSettings.includes(name),
    ),
    contentType: parts.output.negotiated.contentType,
    ...planCallRows(request, context, parts),
    isHead: parts.action.method === 'head',
    ...(parts.output.negotiated.events !== undefined && { events: parts.output.negotiated.events }),
    legacyNames,
    ...planTransaction(request, context, accessOf(parts), 'call', ineffectivePreferences(request.preferences, routine)),
  };
}

const NO_NAMES: ReadonlySet<string> = new Set();

type FoundNames = Pick<Relation, 'columns' | 'computedColumns'> | RowNames;

/** With whole rows, PostgreSQL finds columns that are newer than the cache, and reports others under the function's name. */
function planSource(read: ReadPlan, found: FoundNames | undefined): RowSource {
  const source = planRowSource(read, filteredColumns(read.where));
  if (source.kind === 'row' || found === undefined) return source;
  const isKnown = (name: string): boolean => found.columns.has(name) || found.computedColumns.has(name);
  return source.names.every(isKnown) ? source : { kind: 'row' };
}

/** The domain whose values are names of channels (`beyond.md` §3.1). */
const CHANNELS = /(?:^|\.)"text\/event-stream"$/u;

function eventsOf(routine: Routine, { method }: CallRequest, { events }: PlanContext): EventSubject | undefined {
  if (events === undefined || method === 'post') return undefined;
  const { result, volatility } = routine;
  if (events.has('channels') && result.kind === 'scalar' && CHANNELS.test(result.type)) return 'channels';
  return events.has('rows') && isSetResult(routine) && volatility !== 'volatile' ? 'rows' : undefined;
}

/** Plans how the returned rows are counted, checked, limited and delivered. */
function planCallRows(
  request: ApiRequest,
  context: PlanContext,
  parts: PlannedParts,
): Pick<CallAction, 'count' | 'delivery' | 'checks' | 'range'> {
  const { action, call, relation, read, output } = parts;
  const range = capRange(request.range, context.config.dbMaxRows);
  const { maxAffected, count } = request.preferences;
  const checks: OutcomeCheck[] = [...output.checks];
  if (maxAffected !== undefined && isLimited(request.preferences))
    checks.push({ kind: 'maxAffected', maximum: maxAffected });
  // For calls, some dialects do not ask the planner: rows are then counted or unknown (`writing.md` §0.2 D10).
  const countable = count === 'planned' ? undefined : count && 'exact';
  const delivery = planDelivery({
    negotiated: output.negotiated,
    hasBody: action.method !== 'head' && call.routine.result.kind !== 'void',
    checks,
    access: accessOf(parts),
    read: read.plan,
    leftovers: 'all',
    isCountCertain: isCallCountCertain(read.plan, relation),
    relation: undefined,
    repeatable: isRepeatable(parts) ? relation : undefined,
    count: planCount(context.dialect.areCallCountsPlanned ? count : countable, request.range, context.config.dbMaxRows),
    range,
    mayStream: output.mayStream,
    cache: context.cache,
    needsHead: context.config.dbPreRequest !== undefined,
  });
  return { ...delivery, checks, range };
}

/** Whether a function that returns a table may be called again, if the server cannot write a value after all. */
function isRepeatable({ call: { routine }, relation }: PlannedParts): boolean {
  const isTable = routine.result.kind === 'composite' && routine.result.isSet && relation.columns.size > 0;
  return isTable && routine.volatility !== 'volatile';
}

function accessOf({ action, call }: Pick<PlannedParts, 'action' | 'call'>): CallAction['access'] {
  return action.method === 'post' && call.routine.volatility === 'volatile' ? 'read write' : 'read only';
}

function isLimited({ handling, maxAffected }: Preferences): boolean {
  return handling === 'strict' && maxAffected !== undefined;
}

function isSetResult({ result }: Pick<Routine, 'result'>): boolean {
  return result.kind !== 'void' && result.isSet;
}

/** The isolation level that a function declares takes precedence. */
function ineffectivePreferences({ handling }: Preferences, { isolation }: Routine): readonly PreferenceName[] {
  const own: readonly PreferenceName[] = isolation === undefined ? [] : ['isolation'];
  return handling === 'strict' ? own : ['maxAffected', ...own];
}

/** Rows of a relation use the handlers of that relation; any other result uses those of the function. */
function handlerOwner(cache: SchemaCache, routine: Routine): Pick<OutputSubject, 'element' | 'elementKind'> {
  const rowType = findRowType(cache, routine);
  if (rowType === undefined) return { element: routine.name, elementKind: 'routine' };
  return { element: rowType.name, elementKind: 'relation' };
}

/** Returns the relation that the function declares as its row type, if it is exposed (`writing.md` §14.6). */
function findRowType(cache: SchemaCache, { result }: Routine): Relation | undefined {
  const rowType = result.kind === 'composite' ? result.rowType : undefined;
  return rowType && findRelation(cache, rowType);
}

/** Returns the names that PostgreSQL finds in the returned rows, if they have a row type. */
function findRowNames(cache: SchemaCache, routine: Routine): FoundNames | undefined {
  const rowType = routine.result.kind === 'composite' ? routine.result.rowType : undefined;
  return findRowType(cache, routine) ?? (rowType && cache.rowTypes.get(rowType.oid));
}

/**
 * Returns a stand-in relation for functions that do not return rows of an exposed relation. It lists all names of other
 * row types as computed, because only their names are known.
 */
function resultRelation(cache: SchemaCache, routine: Routine): Relation {
  const { result } = routine;
  const known = findRowType(cache, routine);
  if (known !== undefined) return known;
  const columns = result.kind === 'composite' ? result.outColumns : [];
  const names = findRowNames(cache, routine);
  return {
    name: routine.name,
    kind: 'table',
    comment: undefined,
    isPlain: false,
    plainWrites: 'none',
    isSmall: false,
    hasFewOrLongRows: false,
    hasVirtualColumns: false,
    hasInheritors: false,
    isInsertable: false,
    isUpdatable: false,
    isDeletable: false,
    primaryKey: [],
    uniqueIndexes: [],
    columns: new Map(columns.map(([name, type]) => [name, outColumn(name, type)])),
    computedColumns: names === undefined ? NO_NAMES : new Set([...names.columns.keys(), ...names.computedColumns]),
    distribution: undefined,
  };
}

function outColumn(name: string, type: string): Column {
  return {
    name,
    comment: undefined,
    isNullable: true,
    type,
    nominalType: type,
    maxLength: undefined,
    defaultExpression: undefined,
    enumLabels: [],
    isGenerated: false,
    isSpelled: isSpelledType(type),
  };
}

/**
 * Decides what `distinct` and `score` mean on a call: a parameter of the function with that name wins over the one of
 * the grammar (`beyond.md`).
 */
function settleParameters(request: ApiRequest, overloads: readonly Routine[]): Result<ApiRequest, ApiError> {
  return settleScore(settleDistinct(request, overloads), overloads);
}

function settleDistinct(request: ApiRequest, overloads: readonly Routine[]): ApiRequest {
  const { query } = request;
  if (query.distinct.length === 0) return request;
  const isArgument = request.payload === undefined && hasParameter(overloads, 'distinct');
  const settled = isArgument
    ? { distinct: query.distinct.filter(({ path }) => path.length > 0) }
    : { args: query.args.filter(([name]) => !isDistinctName(name)) };
  return { ...request, query: { ...query, ...settled } };
}

/** A call whose arguments are in its body has no arguments in its query string. */
function settleScore(request: ApiRequest, overloads: readonly Routine[]): Result<ApiRequest, ApiError> {
  const { query } = request;
  const isScored = query.unreadableScore !== undefined || query.scores.some(({ path }) => path.length === 0);
  if (!isScored || !query.args.some(([name]) => name === SCORE)) return ok(request);
  if (hasParameter(overloads, SCORE))
    return ok({ ...request, query: { ...query, scores: query.scores.filter(({ path }) => path.length > 0) } });
  if (query.unreadableScore !== undefined) return fail(query.unreadableScore);
  return ok({ ...request, query: { ...query, args: query.args.filter(([name]) => name !== SCORE) } });
}

function hasParameter(overloads: readonly Routine[], name: string): boolean {
  return overloads.some(({ parameters }) => parameters.some((parameter) => parameter.name === name));
}
