// Parses and plans a request. If a request of the same shape was planned before, only fills in its values.
import type { HttpRequest } from './contract/http.ts';
import { fail, ok, type Result } from './contract/result.ts';
import type { ApiError } from './errors/api-error.ts';
import type { PhaseClock } from './observe/phases.ts';
import { explainPath, type PathContext } from './plan/refusals/explain-path.ts';
import { isNestedAction, type NestedPlan } from './plan/actions/nested-plan.ts';
import { planWithVisibleNames } from './plan/plan-with-visible-names.ts';
import type { Planning } from './prepare/plan-cache.ts';
import { parseRequest } from './request/parse-request.ts';
import type { RequestContext } from './request-context.ts';
import { prepareNested } from './sql/nested-run.ts';
import { prepareAction, type PreparedAction, type PreparedRows } from './sql/render-script.ts';

export interface Preparation {
  readonly planning: Planning;
  readonly role: string;
  readonly phases?: PhaseClock | undefined;
}

export type Prepared = Result<PreparedAction, ApiError>;

/** @returns the action itself, not a promise, if its plan is cached and its body is short */
export function prepareRequest(
  request: HttpRequest,
  preparation: Preparation,
  context: RequestContext,
): Prepared | Promise<Prepared> {
  const cached = context.plans.prepare(request, preparation.planning, context.pause);
  if (cached === undefined || cached instanceof Promise) return prepareLater(request, preparation, { context, cached });
  preparation.phases?.mark('parse');
  return cached;
}

interface Preparing {
  readonly context: RequestContext;
  /** Undefined for a request that must be planned by itself. */
  readonly cached: Promise<Prepared | undefined> | undefined;
}

async function prepareLater(
  request: HttpRequest,
  { planning, role, phases }: Preparation,
  { context, cached }: Preparing,
): Promise<Prepared> {
  const known = await cached;
  phases?.mark('parse');
  if (known !== undefined) return known;
  const parsed = await parseRequest(request, planning.settings, context.pause);
  phases?.mark('parse');
  if (!parsed.ok) return fail(await explainPath(parsed.error, request, pathContextOf(planning, role, context)));
  const { dialect, pause } = context;
  const names = { findVisibleNames: () => context.findVisibleNames(role), pause };
  const planned = await planWithVisibleNames(parsed.value, planning.context, names);
  if (!planned.ok) return planned;
  const prepared = prepareAction(planned.value, dialect);
  if (request.isLongQuery) await pause();
  return isNestedAction(planned.value) && prepared.kind === 'rows'
    ? withNested(prepared, planned.value.nested, context)
    : ok(prepared);
}

async function withNested(
  prepared: PreparedRows,
  plan: NestedPlan,
  { dialect: { settingsPrefix }, pause }: RequestContext,
): Promise<Result<PreparedRows, ApiError>> {
  const { main, payloadParameter: rowsParameter } = prepared.statements;
  const nested = await prepareNested(plan, { main, rowsParameter }, { settingsPrefix, pause });
  return nested.ok ? ok({ ...prepared, nested: nested.value }) : nested;
}

function pathContextOf(
  { settings, context }: Planning,
  role: string,
  { findVisibleNames }: RequestContext,
): PathContext {
  const { schemas, dialect } = settings;
  return { dialect, schemas, cache: context.cache, findVisible: () => findVisibleNames(role) };
}
