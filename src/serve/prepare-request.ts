// Parses and plans a request. If a request of the same shape was planned before, only fills in its values.
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { planWithVisibleNames } from '../plan/plan-with-visible-names.ts';
import type { PreparedShape } from '../prepare/plan-cache.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { Work } from './request-context.ts';
import { prepareAction, type PreparedAction } from '../sql/render-script.ts';

export type Prepared = Result<PreparedAction, ApiError>;

/** @returns the action itself, not a promise, if its plan is cached and its body is short */
export function prepareRequest(work: Work): Prepared | Promise<Prepared> {
  const { context, planning, phases } = work;
  const cached = context.plans.prepare(work.request, planning, context.pause);
  if (cached === undefined || cached instanceof Promise) return prepareLater(work, cached);
  phases?.mark('parse');
  if (cached.ok) work.legacyNames = cached.value.action.legacyNames;
  return cached;
}

/** @param cached undefined for a request that must be planned by itself */
async function prepareLater(work: Work, cached: Promise<PreparedShape> | undefined): Promise<Prepared> {
  const { request, context, planning, identity, phases } = work;
  const known = await cached;
  phases?.mark('parse');
  if (known?.ok === true) work.legacyNames = known.value.action.legacyNames;
  if (known !== undefined) return known;
  const parsed = await parseRequest(request, planning.settings, context.pause);
  phases?.mark('parse');
  if (!parsed.ok) return fail((await context.seams.hints?.explainSyntax(parsed.error, work)) ?? parsed.error);
  const { pause } = context;
  const names = { findVisibleNames: () => context.findVisibleNames(identity.role), pause };
  const planned = await planWithVisibleNames(parsed.value, planning.context, names);
  if (!planned.ok) return planned;
  const action = planned.value;
  const prepared = prepareAction(action, context);
  if ('legacyNames' in action) work.legacyNames = action.legacyNames;
  if (request.isLongQuery) await pause();
  const completed = prepared.kind === 'rows' ? context.seams.completeWrite?.(prepared, context) : undefined;
  if (completed !== undefined) return completed;
  const isLive = prepared.kind === 'events' && prepared.action.events === 'rows';
  return isLive && (action.kind === 'read' || action.kind === 'call')
    ? ok({ ...prepared, live: { action, range: parsed.value.range } })
    : ok(prepared);
}
