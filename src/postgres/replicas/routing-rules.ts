// Decides which replica gets a read, and which replica errors say nothing about the read. Pure
// (`docs/decisions/replicas.md`).
import { hasReached, type LogPosition } from '../../contract/log-position.ts';
import { type ApiError, isConnectionFailure } from '../../errors/api-error.ts';
import { BEHIND_STATE } from '../execute/position-statements.ts';

interface Candidate {
  readonly load: number;
  readonly position: LogPosition | undefined;
}

/**
 * Returns the least busy eligible replica that is known to have reached the position; the first of equals.
 *
 * @param minimum undefined accepts any position
 */
export function pickReplica<T extends Candidate>(candidates: readonly T[], minimum?: LogPosition): T | undefined {
  let best: T | undefined;
  for (const candidate of candidates) {
    const { load, position } = candidate;
    const isEligible = position !== undefined && (minimum === undefined || hasReached(position, minimum));
    if (isEligible && (best === undefined || load < best.load)) best = candidate;
  }
  return best;
}

/**
 * SQLSTATE classes and codes that a standby may raise although the primary would succeed: connection errors, features
 * and state that a standby lacks, recovery conflicts, and names and privileges that have not been replicated yet.
 * Excludes 57014, a timeout, which would occur elsewhere too.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const CLASSES: ReadonlySet<string> = new Set(['08', '0A', '25', '26', '3F', '40', '42', '53', '55', '58', 'XX']);
const STATES: ReadonlySet<string> = new Set(['22023', BEHIND_STATE, '57P01', '57P02', '57P03', '57P04', '57P05']);

export function mayDifferElsewhere(error: ApiError): boolean {
  if (isConnectionFailure(error)) return true;
  if (error.kind !== 'database') return false;
  const { sqlstate } = error.report;
  return CLASSES.has(sqlstate.slice(0, 2)) || STATES.has(sqlstate);
}

/** Whether to report a replica's error if the primary is unreachable: a name or a privilege is missing. */
export function isQueryError(error: ApiError): boolean {
  return error.kind === 'database' && !isConnectionFailure(error) && /^(?:42|3F)/u.test(error.report.sqlstate);
}
