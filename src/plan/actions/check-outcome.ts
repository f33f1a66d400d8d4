// Checks the outcome of a statement against the plan. Returns the error that rolls it back, if any (`writing.md` §1
// step 18).
import type { DbOutcome } from '../../contract/transaction.ts';
import type { ApiError, DatabaseReport } from '../../errors/api-error.ts';
import { ROW_CHANGED_TWICE } from '../../errors/sqlstate.ts';
import { parseJsonObject } from '../../util/json-object.ts';
import type { ConditionPlan, DescribeAction, OutcomeCheck, PlannedRows } from './action-plan.ts';

export function checkOutcome(checks: readonly OutcomeCheck[], outcome: DbOutcome): ApiError | undefined {
  for (const check of checks) {
    const error = checkOne(check, outcome);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Whether the write returns existing rows and can be repeated; rows that arrive cannot be sent again. */
export function mayLackRows(action: PlannedRows | DescribeAction): boolean {
  if (action.kind !== 'mutate' || action.delivery.kind === 'explain') return false;
  return action.conflict?.resolution === 'keep' && action.payload?.batches === undefined;
}

export function lacksRows({ total = 0 }: DbOutcome): boolean {
  return total > 0;
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
    case 'elements':
      return checkElements(location);
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

/** @param report from `sql/writes/render-elements.ts` */
function checkElements(report: string | undefined): ApiError | undefined {
  const { fault, twice, unmatched } = parseJsonObject(report ?? '') ?? {};
  if (typeof fault === 'string') return { kind: 'invalidBody', message: noArray(fault) };
  if (Array.isArray(twice)) return { kind: 'database', report: describeTwice(twice) };
  return Array.isArray(unmatched) ? { kind: 'rowsNotFound', count: unmatched.length, details: unmatched } : undefined;
}

function describeTwice([first, last]: readonly unknown[]): DatabaseReport {
  const detail = `Elements ${String(first)} and ${String(last)} match the same row`;
  return { sqlstate: ROW_CHANGED_TWICE.sqlstate, message: ROW_CHANGED_TWICE.message, detail, hint: undefined };
}
