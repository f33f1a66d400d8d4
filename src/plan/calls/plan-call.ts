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
import type { CallAction, CountPlan, OutcomeCheck } from '../actions/action-plan.ts';
import { argumentNames, planArguments, routineContentTypeOf } from './plan-arguments.ts';
import { resolveRoutine } from './overload.ts';
import { isCallCountCertain } from '../actions/certain-count.ts';
import { planCount } from '../actions/plan-count.ts';
import { planDelivery } from '../actions/plan-delivery.ts';
import { checkStrict, planOutput } from '../actions/plan-output.ts';
import { planRead } from '../levels/plan-read.ts';
import { isSpelledType } from '../levels/plan-spelling.ts';
import { readContextOf, type PlanContext } from '../actions/plan-context.ts';
import type { EventSubject } from '../negotiation/negotiate.ts';
import { planTransaction } from '../actions/plan-transaction.ts';
import type { ReadPlan } from '../levels/read-plan.ts';
import { filteredColumns, planRowSource, type RowSource } from '../levels/row-source.ts';

type CallRequest = Extract<Action, { kind: 'callRoutine' }>;

export function planCall(given: ApiRequest, action: CallRequest, context: PlanContext): Result<CallAction, ApiError> {
  const { cache, config } = context;
  const name = { schema: given.profile.schema, name: action.routine };
  const settled = settleParameters(given, findRoutines(cache, name));
  if (!settled.ok) return settled;
  const request = settled.value;
  const { preferences } = request;
  const found = resolveRoutine({
    cache,
    visible: context.visible,
    name,
    argumentNames: argumentNames(request),
    method: action.method === 'post' ? 'post' : 'get',
    contentType: routineContentTypeOf(request.payload),
    singleObject: preferences.params !== undefined,
  });
  if (!found.ok) return found;
  const { routine, passing } = found.value;
  const { result, volatility } = routine;
  const rowType = findRowType(cache, routine);
  const rowNames = rowType ?? findRowNames(cache, routine);
  const relation = rowType ?? standIn(routine, rowNames);
  const planned = planRead(request, relation, readContextOf(context, name));
  if (!planned.ok) return planned;
  const { plan: read, legacyNames } = planned.value;
  const isSet = result.kind !== 'void' && result.isSet;
  const output = planOutput(request, context, {
    read,
    isSet,
    events: eventsOf(routine, action, context),
    // Rows of a relation use the handlers of that relation; any other result uses those of the function.
    element: (rowType ?? routine).name,
    elementKind: rowType === undefined ? 'routine' : 'relation',
  });
  if (!output.ok) return output;
  const { negotiated, mayStream } = output.value;
  const checks: OutcomeCheck[] = [...output.value.checks];
  const error = checkStrict(preferences);
  if (error !== undefined) return fail(error);
  if (preferences.handling === 'strict' && preferences.maxAffected !== undefined) {
    if (!isSet) return fail({ kind: 'maxAffectedNeedsSet' });
    checks.push({ kind: 'maxAffected', maximum: preferences.maxAffected });
  }
  const access = action.method === 'post' && volatility === 'volatile' ? 'read write' : 'read only';
  const range = capRange(request.range, config.dbMaxRows);
  // A function that returns a table may be called again, if the server cannot write a value after all.
  const isRepeatable = result.kind === 'composite' && isSet && relation.columns.size > 0 && volatility !== 'volatile';
  return ok({
    kind: 'call',
    routine,
    arguments: planArguments(request, routine, passing),
    read,
    rowType,
    computedColumns: rowNames?.computedColumns ?? NO_NAMES,
    source: planSource(read, rowNames),
    isolation: routine.isolation,
    settings: hoistedSettings(routine, config.dbHoistedTxSettings),
    contentType: negotiated.contentType,
    ...planDelivery({
      negotiated,
      hasBody: action.method !== 'head' && result.kind !== 'void',
      checks,
      access,
      read,
      leftovers: 'all',
      isCountCertain: isCallCountCertain(read, relation),
      relation: undefined,
      repeatable: isRepeatable ? relation : undefined,
      count: planCallCount(request, context),
      range,
      mayStream,
      cache,
      needsHead: config.dbPreRequest !== undefined,
    }),
    checks,
    range,
    isHead: action.method === 'head',
    ...(negotiated.events !== undefined && { events: negotiated.events }),
    legacyNames,
    ...planTransaction(request, context, access, 'call', ineffectivePreferences(preferences, routine)),
  });
}

/** Excludes the isolation level, which always applies, as part of BEGIN (`operating.md` §4.6, §4.8). */
function hoistedSettings(routine: Routine, hoisted: readonly string[]): CallAction['settings'] {
  return routine.settings.filter(([name]) => name !== 'default_transaction_isolation' && hoisted.includes(name));
}

/** For calls, some dialects do not ask the planner: rows are then counted or unknown (`writing.md` §0.2 D10). */
function planCallCount({ preferences: { count }, range }: ApiRequest, { config, dialect }: PlanContext): CountPlan {
  const countable = count === 'planned' ? undefined : count && 'exact';
  return planCount(dialect.areCallCountsPlanned ? count : countable, range, config.dbMaxRows);
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
  return events.has('rows') && result.kind !== 'void' && result.isSet && volatility !== 'volatile' ? 'rows' : undefined;
}

/** The isolation level that a function declares takes precedence. */
function ineffectivePreferences({ handling }: Preferences, { isolation }: Routine): readonly PreferenceName[] {
  const own: readonly PreferenceName[] = isolation === undefined ? [] : ['isolation'];
  return handling === 'strict' ? own : ['maxAffected', ...own];
}

/** Returns the relation that the function declares as its row type, if it is exposed (`writing.md` §14.6). */
function findRowType(cache: SchemaCache, { result }: Routine): Relation | undefined {
  const rowType = result.kind === 'composite' ? result.rowType : undefined;
  return rowType && findRelation(cache, rowType);
}

/** Returns the names that PostgreSQL finds in the returned rows, if they have a row type that is not exposed. */
function findRowNames(cache: SchemaCache, { result }: Routine): RowNames | undefined {
  const rowType = result.kind === 'composite' ? result.rowType : undefined;
  return rowType && cache.rowTypes.get(rowType.oid);
}

/**
 * Returns a stand-in relation for functions that do not return rows of an exposed relation. It lists all names of other
 * row types as computed, because only their names are known.
 */
function standIn({ name, result }: Routine, names: FoundNames | undefined): Relation {
  const columns = result.kind === 'composite' ? result.outColumns : [];
  return {
    name,
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
    columns: new Map(columns.map(([column, type]) => [column, outColumn(column, type)])),
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
