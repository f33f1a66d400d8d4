// Plans a request: makes every decision that needs no database connection.
import { assertNever, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Slices } from '../util/slices.ts';
import type { ActionPlan } from './actions/action-plan.ts';
import { planCall } from './calls/plan-call.ts';
import { planDescription } from './plan-description.ts';
import { planInfo } from './plan-info.ts';
import { isNested, planNested } from './writes/nested/plan-nested.ts';
import { planMutation } from './writes/plan-mutation.ts';
import type { PlanContext } from './actions/plan-context.ts';
import { planRelationRead } from './plan-relation-read.ts';

/** Plans in slices, because a body with related rows may be long. */
export function* planRequestInSlices(request: ApiRequest, context: PlanContext): Slices<Result<ActionPlan, ApiError>> {
  const { action } = request;
  return action.kind === 'mutateRelation' && isNested(request)
    ? yield* planNested(request, action, context)
    : planRequest(request, context);
}

/** Plans a request whose body contains no related rows. */
export function planRequest(request: ApiRequest, context: PlanContext): Result<ActionPlan, ApiError> {
  const { action } = request;
  switch (action.kind) {
    case 'readRelation':
      return planRelationRead(request, action, context);
    case 'mutateRelation':
      return planMutation(request, action, context);
    case 'callRoutine':
      return planCall(request, action, context);
    case 'describeSchema':
      return planDescription(request, action.isHead, context);
    case 'showPage':
      return ok({ kind: 'page', isHead: action.isHead });
    case 'listMethods':
      return planInfo(request, action.target, context);
    default:
      return assertNever(action);
  }
}
