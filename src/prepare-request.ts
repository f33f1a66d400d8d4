// Parses and plans a request. If a request of the same shape was planned before, only fills in its values.
import type { HttpRequest } from './contract/http.ts';
import { fail, ok, type Result } from './contract/result.ts';
import type { ApiError } from './errors/api-error.ts';
import { explainPath, type PathContext } from './plan/refusals/explain-path.ts';
import { isNestedAction, type NestedPlan } from './plan/actions/nested-plan.ts';
import { planWithVisibleNames } from './plan/plan-with-visible-names.ts';
import type { Planning } from './prepare/plan-cache.ts';
import { parseRequest } from './request/parse-request.ts';
import type { RequestContext } from './request-context.ts';
import { prepareNested } from './sql/nested-run.ts';
import { prepareAction, type PreparedAction, type PreparedRows } from './sql/render-script.ts';
import { runSlicesWithPauses } from './util/slices.ts';

export interface Preparation {
  readonly planning: Planning;
  readonly role: string;
  /** Called when the request is parsed; also before a plan that was not cached. */
  readonly onParsed?: (() => void) | undefined;
}

export async function prepareRequest(
  request: HttpRequest,
  { planning, role, onParsed }: Preparation,
  context: RequestContext,
): Promise<Result<PreparedAction, ApiError>> {
  const cached = await runSlicesWithPauses(context.plans.prepare(request, planning), context.pause);
  onParsed?.();
  if (cached !== undefined) return cached;
  const parsed = await parseRequest(request, planning.settings, context.pause);
  onParsed?.();
  if (!parsed.ok) return fail(await explainPath(parsed.error, request, pathContextOf(planning, role, context)));
  const { dialect, pause } = context;
  const names = { findVisibleNames: () => context.findVisibleNames(role), pause };
  const planned = await planWithVisibleNames(parsed.value, planning.context, names);
  if (!planned.ok) return planned;
  const prepared = prepareAction(planned.value, dialect);
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
