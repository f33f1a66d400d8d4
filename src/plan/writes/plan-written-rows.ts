// Plans the rows that a write takes from its body, what happens where they exist, and whether it shows that.
import { ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { MutateAction } from '../actions/action-plan.ts';
import type { ReadPlan } from '../levels/read-plan.ts';
import { planConflict } from './plan-conflict.ts';
import { findElements, planElements } from './plan-elements.ts';
import { planInserted } from './plan-inserted.ts';
import { planPayload, type PayloadTarget } from './plan-payload.ts';

export type WrittenRowsPlan = Pick<MutateAction, 'payload' | 'conflict' | 'showsInserted'>;

/** @param target with the plan of the rows to show */
export function planWrittenRows(
  request: ApiRequest,
  mutation: Mutation,
  { read, ...target }: PayloadTarget & { readonly read: ReadPlan },
): Result<WrittenRowsPlan, ApiError> {
  const elements = findElements(request);
  const payload =
    elements === undefined ? planPayload(request, mutation, target) : planElements(request, elements, target);
  if (!payload.ok) return payload;
  const conflict = planConflict(request, { ...target, mutation, payload: payload.value });
  if (!conflict.ok) return conflict;
  const showsInserted = planInserted(request, mutation, { read, cache: target.context.cache });
  if (!showsInserted.ok) return showsInserted;
  return ok({ payload: payload.value, conflict: conflict.value, showsInserted: showsInserted.value });
}
