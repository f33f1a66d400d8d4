// Checks the outcome of a statement against the plan. Returns the error that rolls it back, if any (`writing.md` §1
// step 18).
import type { DbOutcome } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ConditionPlan, OutcomeCheck } from './action-plan.ts';

export function checkOutcome(checks: readonly OutcomeCheck[], outcome: DbOutcome): ApiError | undefined {
  for (const check of checks) {
    const error = checkOne(check, outcome);
    if (error !== undefined) return error;
  }
  return undefined;
}

function checkOne(check: OutcomeCheck, { pageRows, location }: DbOutcome): ApiError | undefined {
  // Rows are counted whenever there are checks (`plan-delivery.ts`).
  const rows = pageRows ?? 0;
  switch (check.kind) {
    case 'condition':
      return checkCondition(check.condition, rows, location);
    case 'putKey':
      return rows === 1 ? undefined : { kind: 'putKeyMismatch' };
    case 'singular':
      return rows === 1 ? undefined : { kind: 'notSingular', rows };
    case 'storedArrays':
      return location === undefined ? undefined : { kind: 'invalidBody', message: noArray(location) };
    case 'maxAffected':
      return rows > check.maximum ? { kind: 'maxAffectedExceeded', rows } : undefined;
  }
}

function checkCondition(
  { kind, isReported }: ConditionPlan,
  rows: number,
  report: string | undefined,
): ApiError | undefined {
  const [given, matched] = isReported ? (report ?? '').split(' ').map(Number) : [1, rows];
  if (given !== 1) return { kind: 'putKeyMismatch' };
  const holds = kind === 'absent' ? rows > 0 : matched !== 0;
  return holds ? undefined : { kind: 'conditionFailed', condition: kind };
}

function noArray(column: string): string {
  return `The column '${column}' takes $append and $remove only where it contains an array`;
}
