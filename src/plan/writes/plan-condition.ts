// Decides whether the condition of a write can be checked: the write must concern one row of a table, by its whole
// primary key (`beyond.md` §1.7).
import type { Relation } from '../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { ConditionPlan, OutcomeCheck, PayloadPlan } from '../actions/action-plan.ts';
import { isRowKey } from '../levels/filters-by-key.ts';
import type { Condition } from '../levels/read-plan.ts';

export interface ConditionalWrite {
  readonly relation: Relation;
  readonly mutation: Mutation;
  readonly where: readonly Condition[];
  readonly payload: PayloadPlan | undefined;
}

export function planWriteCondition(
  { condition }: ApiRequest,
  { relation, mutation, where, payload }: ConditionalWrite,
): Result<ConditionPlan | undefined, ApiError> {
  if (condition === undefined) return ok(undefined);
  if (condition.kind === 'unsupported') return fail({ kind: 'notImplemented', feature: condition.feature });
  const isOneRow = isRowKey(where, relation) && payload?.elements === undefined;
  if (!isOneRow) return fail({ kind: 'notImplemented', feature: NO_KEY });
  const changesNothing = mutation === 'update' && payload?.columns.length === 0;
  return ok({ ...condition, isReported: mutation === 'put' || changesNothing });
}

const NO_KEY =
  'Conditions (If-Match, If-None-Match) are checked only for one row of a table, with eq filters on its primary key and no others';

/** It comes first, because a condition that fails explains why nothing was written. */
export function checksOfCondition(condition: ConditionPlan | undefined): readonly OutcomeCheck[] {
  return condition === undefined ? [] : [{ kind: 'condition', condition }];
}
