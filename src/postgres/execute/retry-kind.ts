// Decides whether a failed transaction may be retried, and how. Pure.
// A write is never retried once its main statement may have begun: functions and triggers can raise any error, and
// their effects outside the transaction (sequences, other servers) would happen twice.
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { DatabaseReport } from '../../errors/api-error.ts';
import { OTHER_ROLE_STATE, type ScriptStep } from './script-steps.ts';
import { isObjectLost, isStale } from './stale-state.ts';

/** `unnamed`: the pre-request function changed the role; `prepareAgain`: a prepared statement is outdated. */
export type RetryKind = 'unnamed' | 'prepareAgain';

export interface FailedStep {
  /** Undefined if the transaction failed at its end. */
  readonly step: ScriptStep | undefined;
  /** Whether the statement of the step may have begun to run. */
  readonly isBound: boolean;
  /** Whether a main statement may have begun, in this step or an earlier one. */
  readonly hasMainBegun: boolean;
}

export function findRetryKind(
  report: DatabaseReport,
  { step, isBound, hasMainBegun }: FailedStep,
  access: TransactionScript['access'],
): RetryKind | undefined {
  if (step?.role === 'roleCheck' && report.sqlstate === OTHER_ROLE_STATE) return 'unnamed';
  const isRead = access === 'read only';
  if (!isRead && (hasMainBegun || step === undefined)) return undefined;
  const isReused = step !== undefined && step.text === undefined;
  if (isReused && !isBound && isStale(report)) return 'prepareAgain';
  // In a write that has begun, user code may have raised the error.
  const excludesUserCode = isRead || !isBound;
  return excludesUserCode && isObjectLost(report) ? 'prepareAgain' : undefined;
}
