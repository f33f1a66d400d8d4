// Plans GET, HEAD and POST on a function (`writing.md` §14).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Routine, SchemaCache } from '../../catalog/schema-cache.ts';
import type { Action, ApiRequest } from '../../request/api-request.ts';
import type { PreferenceName, Preferences } from '../../request/preferences.ts';
import { capRange } from '../../request/range.ts';
import type { CallAction, OutcomeCheck } from '../actions/action-plan.ts';
import { argumentNames, planArguments, routineContentTypeOf } from './plan-arguments.ts';
import { resolveRoutine } from './overload.ts';
import { isCallCountCertain } from '../actions/certain-count.ts';
import { planCallCount } from '../actions/plan-count.ts';
import { planDelivery } from '../actions/plan-delivery.ts';
import { checkStrict, planOutput, type OutputSubject } from '../actions/plan-output.ts';
import { planRead } from '../levels/plan-read.ts';
import { readContextOf, type PlanContext } from '../actions/plan-context.ts';
import { planTransaction } from '../actions/plan-transaction.ts';
import { findRowType, resultRelation } from './result-relation.ts';
import { filteredColumns, planRowSource } from '../levels/row-source.ts';

type CallRequest = Extract<Action, { kind: 'callRoutine' }>;

export function planCall(request: ApiRequest, action: CallRequest, context: PlanContext): Result<CallAction, ApiError> {
  const name = { schema: request.profile.schema, name: action.routine };
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
  const { routine, passing } = found.value;
  const relation = resultRelation(context.cache, routine);
  const read = planRead(request.query, relation, request.range, readContextOf(context, name));
  if (!read.ok) return read;
  const output = planOutput(request, context, {
    read: read.value.plan,
    isSet: isSetResult(routine),
    ...handlerOwner(context.cache, routine),
  });
  if (!output.ok) return output;
  const error = checkStrict(request.preferences) ?? checkSetResult(request.preferences, routine);
  if (error !== undefined) return fail(error);
  const access = action.method === 'post' && routine.volatility === 'volatile' ? 'read write' : 'read only';
  const range = capRange(request.range, context.config.dbMaxRows);
  const checks = [...output.value.checks, ...maxAffectedCheck(request.preferences)];
  return ok({
    kind: 'call',
    routine,
    arguments: planArguments(request, routine, passing),
    read: read.value.plan,
    rowType: findRowType(context.cache, routine),
    source: planRowSource(read.value.plan, filteredColumns(read.value.plan.where)),
    isolation: routine.isolation,
    settings: hoistedSettings(routine, context.config.dbHoistedTxSettings),
    contentType: output.value.negotiated.contentType,
    ...planDelivery({
      negotiated: output.value.negotiated,
      hasBody: action.method !== 'head' && routine.result.kind !== 'void',
      checks,
      access,
      read: read.value.plan,
      leftovers: 'all',
      isCountCertain: isCallCountCertain(read.value.plan, relation),
      relation: undefined,
      count: planCallCount(request.preferences.count, request.range, context),
      range,
      mayStream: output.value.mayStream,
      isUtf8: context.cache.isUtf8,
      hasPreRequest: context.config.dbPreRequest !== undefined,
    }),
    checks,
    range,
    isHead: action.method === 'head',
    legacyNames: read.value.legacyNames,
    ...planTransaction(request, context, {
      access,
      use: 'call',
      ineffective: ineffectivePreferences(request.preferences),
    }),
  });
}

function isLimited({ handling, maxAffected }: Preferences): boolean {
  return handling === 'strict' && maxAffected !== undefined;
}

function checkSetResult(preferences: Preferences, { result }: Routine): ApiError | undefined {
  return isLimited(preferences) && !isSetResult({ result }) ? { kind: 'maxAffectedNeedsSet' } : undefined;
}

function isSetResult({ result }: Pick<Routine, 'result'>): boolean {
  return result.kind !== 'void' && result.isSet;
}

function maxAffectedCheck(preferences: Preferences): readonly OutcomeCheck[] {
  const { maxAffected } = preferences;
  return maxAffected !== undefined && isLimited(preferences) ? [{ kind: 'maxAffected', maximum: maxAffected }] : [];
}

function ineffectivePreferences({ handling }: Preferences): readonly PreferenceName[] {
  return handling === 'strict' ? [] : ['maxAffected'];
}

/** The isolation level always applies, and not through a setting (`operating.md` §4.6, §4.8). */
function hoistedSettings(routine: Routine, hoisted: readonly string[]): CallAction['settings'] {
  return routine.settings.filter(([name]) => name !== 'default_transaction_isolation' && hoisted.includes(name));
}

/** Rows of a relation use the handlers of that relation; any other result uses those of the function. */
function handlerOwner(cache: SchemaCache, routine: Routine): Pick<OutputSubject, 'element' | 'elementKind'> {
  const rowType = findRowType(cache, routine);
  if (rowType === undefined) return { element: routine.name, elementKind: 'routine' };
  return { element: rowType.name, elementKind: 'relation' };
}
