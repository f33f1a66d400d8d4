// An error and how far the transaction had come → whether it may run again, and how. Pure.
// A write never runs again once its main statement may have begun: functions and triggers can raise any error, and what
// they do outside the transaction (sequences, other servers) would happen twice.
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { DatabaseReport } from '../../errors/api-error.ts';
import { OTHER_ROLE_STATE, type ScriptStep } from './script-steps.ts';
import { isObjectLost, isStale } from './stale-state.ts';

/** `unnamed`: the pre-request function has changed the role; `prepareAgain`: the server's own statement is outdated. */
export type Repetition = 'unnamed' | 'prepareAgain';

export interface FailedStep {
  /** Undefined: the transaction failed at its end. */
  readonly step: ScriptStep | undefined;
  /** The statement of the step may have begun to run. */
  readonly isBound: boolean;
  /** So may have a main statement, of this step or of an earlier one. */
  readonly hasMainBegun: boolean;
}

export function findRepetition(
  report: DatabaseReport,
  { step, isBound, hasMainBegun }: FailedStep,
  access: TransactionScript['access'],
): Repetition | undefined {
  if (step?.role === 'roleCheck' && report.sqlstate === OTHER_ROLE_STATE) return 'unnamed';
  const isRead = access === 'read only';
  if (!isRead && (hasMainBegun || step === undefined)) return undefined;
  const isReused = step !== undefined && step.text === undefined;
  if (isReused && !isBound && isStale(report)) return 'prepareAgain';
  // Users' code of a write that has begun may have raised it.
  const isOwn = isRead || !isBound;
  return isOwn && isObjectLost(report) ? 'prepareAgain' : undefined;
}
