// Decides whether a failed transaction is repeated on its own session, and why. Pure.
// A write is not repeated once its main statement may have begun: functions and triggers can raise any error, and their
// effects outside the transaction (sequences, other servers) would happen twice. The one exception is the search for a
// rejected row in `run-arriving.ts`, whose transactions are rolled back. An insert that keeps existing rows is repeated
// once if some are missing (`lacksRows` in `transaction-run.ts`).
// Other causes: lost connections and slow scripts (`shared-reads/read-dispatcher.ts`), failures on a replica
// (`replicas/read-router.ts`), and long or several rows (`fallback-statements.ts`). `docs/decisions/retries.md` lists
// them all.
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { DatabaseReport } from '../../errors/api-error.ts';
import { OTHER_ROLE_STATE, type ScriptStep } from './script-steps.ts';

/**
 * `otherRole`: the pre-request function changed the role; `staleStatement`: a prepared statement is outdated;
 * `missingRows`: another transaction has just inserted rows that the statement could not see.
 */
export type RetryKind = 'otherRole' | 'staleStatement' | 'missingRows';

export interface FailedStep {
  /** Undefined if the transaction failed at its end. */
  readonly step: ScriptStep | undefined;
  /** Whether the statement of the step may have begun to run. */
  readonly isBound: boolean;
  /** Whether a main statement may have begun, in this step or an earlier one. */
  readonly hasMainBegun: boolean;
  /** Whether a function raised the error, as opposed to the statement itself. */
  readonly isFromFunction: boolean;
}

export function findRetryKind(
  report: DatabaseReport,
  { step, isBound, hasMainBegun, isFromFunction }: FailedStep,
  access: TransactionScript['access'],
): RetryKind | undefined {
  // Comes first, also for writes: only scripts of one segment check the role, before their main statement.
  if (step?.role === 'roleCheck' && report.sqlstate === OTHER_ROLE_STATE) return 'otherRole';
  const isRead = access === 'read only';
  if (!isRead && (hasMainBegun || step === undefined)) return undefined;
  const isReused = step !== undefined && step.text === undefined;
  if (isReused && !isBound && (STALE_STATES.has(report.sqlstate) || isObjectLost(report))) return 'staleStatement';
  if (isReused && isRead && !isFromFunction && FORMER_TYPE_STATES.has(report.sqlstate)) return 'staleStatement';
  // Once a step of a write has begun to run, user code may have raised the error.
  const mayRunAgain = isRead || !isBound;
  return mayRunAgain && isObjectLost(report) ? 'staleStatement' : undefined;
}

/** The result type changed, the name is gone, or parameters have the types of former columns. */
const STALE_STATES: ReadonlySet<string> = new Set(['0A000', '26000', '42883', '42804', '42P01']);

/**
 * A column of a function's rows has another type, or is gone, since the statement was planned. PostgreSQL notices it
 * while the statement runs.
 */
const FORMER_TYPE_STATES: ReadonlySet<string> = new Set(['42804', '42703']);

/** Messages about an object or a column that was dropped or added in the meantime; PostgreSQL does not translate them. */
const LOST_OBJECT = /^(?:cache lookup failed for|too few column names for subquery) /u;

/** Also possible for a new statement: PostgreSQL does not lock the functions and types that it is about to use. */
function isObjectLost({ sqlstate, message }: DatabaseReport): boolean {
  return sqlstate === 'XX000' && LOST_OBJECT.test(message);
}
