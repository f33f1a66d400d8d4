// Which replica gets a read, and which errors of a replica say nothing about the read. Pure (`docs/decisions/replicas.md`).
import { hasReached, type LogPosition } from '../../contract/log-position.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { isConnectionFailure } from '../../errors/connection-failure.ts';
import { BEHIND_STATE } from '../execute/position-statements.ts';

interface Candidate {
  readonly load: number;
  readonly position: LogPosition | undefined;
}

/**
 * The least busy of those that serve and, as far as known, have reached the position; of equals, the first.
 * @param wanted undefined: every position will do
 */
export function pickReplica<T extends Candidate>(candidates: readonly T[], wanted?: LogPosition): T | undefined {
  let best: T | undefined;
  for (const candidate of candidates) {
    const { load, position } = candidate;
    const isFit = position !== undefined && (wanted === undefined || hasReached(position, wanted));
    if (isFit && (best === undefined || load < best.load)) best = candidate;
  }
  return best;
}

/**
 * Classes of SQLSTATEs, and single ones, that a standby may raise where the primary answers: connections, features and state
 * that a standby lacks, conflicts with recovery, and names and privileges that have not reached it yet. 57014 is a time limit,
 * which holds elsewhere too. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const CLASSES: ReadonlySet<string> = new Set(['08', '0A', '25', '26', '3F', '40', '42', '53', '55', '58', 'XX']);
const STATES: ReadonlySet<string> = new Set(['22023', BEHIND_STATE, '57P01', '57P02', '57P03', '57P04', '57P05']);

export function mayDifferElsewhere(error: ApiError): boolean {
  if (isConnectionFailure(error)) return true;
  if (error.kind !== 'database') return false;
  const { sqlstate } = error.report;
  return CLASSES.has(sqlstate.slice(0, 2)) || STATES.has(sqlstate);
}

/** Whether a replica's error is worth telling where the primary cannot be asked: a name or a privilege is missing. */
export function isErrorOfRead(error: ApiError): boolean {
  return error.kind === 'database' && !isConnectionFailure(error) && /^(?:42|3F)/u.test(error.report.sqlstate);
}
