// Checks the outcome of a statement against the plan. Returns the error that rolls it back, if any (`writing.md` §1
// step 18).
import type { DbOutcome } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { OutcomeCheck } from './action-plan.ts';

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

function noArray(column: string): string {
  return `The column '${column}' takes $append and $remove only where it contains an array`;
}
