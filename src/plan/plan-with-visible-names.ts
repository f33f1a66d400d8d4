// Plans a request so that errors name only objects that the role may use. Queries the visible names only if an error
// would name objects that the request does not.
import type { Result } from '../contract/result.ts';
import type { VisibleNames } from '../catalog/visible-names.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { ActionPlan } from './actions/action-plan.ts';
import type { PlanContext } from './actions/plan-context.ts';
import { planRequest } from './plan-request.ts';

export async function planWithVisibleNames(
  request: ApiRequest,
  context: PlanContext,
  findVisibleNames: () => Promise<VisibleNames>,
): Promise<Result<ActionPlan, ApiError>> {
  const planned = planRequest(request, context);
  if (planned.ok || !namesUnrequestedObjects(planned.error)) return planned;
  return planRequest(request, { ...context, visible: await findVisibleNames() });
}

/** Whether the error names an object that the request does not. */
export function namesUnrequestedObjects(error: ApiError): boolean {
  if (error.kind === 'relationshipAmbiguous' || error.kind === 'routineAmbiguous') return true;
  const isSuggesting = 'suggestion' in error && error.suggestion !== undefined;
  if (error.kind === 'relationshipNotFound' && error.between !== undefined) return true;
  return isSuggesting || ('isOriginRequested' in error && !error.isOriginRequested);
}
