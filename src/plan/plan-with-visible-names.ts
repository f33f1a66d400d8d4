// Plans a request with the names that the role may use, where the plan depends on them: errors name only those objects,
// and nested rows are linked only through relations among them. Queries the names only then.
import { NO_NAMES, type VisibleNames } from '../catalog/visible-names.ts';
import type { Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { ActionPlan } from './actions/action-plan.ts';
import type { PlanContext } from './actions/plan-context.ts';
import { planRequestInSlices } from './plan-request.ts';
import { runSlicesWithPauses } from '../util/slices.ts';

export interface NamesSource {
  readonly findVisibleNames: () => Promise<VisibleNames>;
  /** Yields to other work between slices of planning. */
  readonly pause: () => Promise<unknown>;
}

export async function planWithVisibleNames(
  request: ApiRequest,
  context: PlanContext,
  { findVisibleNames, pause }: NamesSource,
): Promise<Result<ActionPlan, ApiError>> {
  const plan = (own: PlanContext) => runSlicesWithPauses(planRequestInSlices(request, own), pause);
  const planned = await plan(context);
  if (
    planned.ok
      ? !(planned.value.kind === 'mutate' && planned.value.parts?.hasJunctions === true)
      : !namesUnrequestedObjects(planned.error)
  )
    return planned;
  const visible = await findVisibleNames();
  // Without names, PostgreSQL checks the privileges alone.
  return planned.ok && visible === NO_NAMES ? planned : plan({ ...context, visible });
}

/** Whether the error names an object that the request does not. */
export function namesUnrequestedObjects(error: ApiError): boolean {
  if (error.kind === 'relationshipAmbiguous' || error.kind === 'routineAmbiguous') return true;
  const isSuggesting = 'suggestion' in error && error.suggestion !== undefined;
  if (error.kind === 'relationshipNotFound' && error.between !== undefined) return true;
  return isSuggesting || ('isOriginRequested' in error && !error.isOriginRequested);
}
