// Decides from the answer to a probe whether a replica may serve reads. Pure.
import type { LogPosition } from '../../contract/log-position.ts';
import { parseLsn } from '../../contract/log-position.ts';
import { TIMELINE } from './position-statements.ts';
import type { TextRow } from '../../postgres/session/query.ts';
import type { PositionHistory } from './position-history.ts';
import type { ProbeAnswer } from './server-probe.ts';

/**
 * Returns whether the server is in recovery, its replay position, and the milliseconds since the commit of the last
 * replayed transaction.
 */
export const REPLICA_STATE: string = `SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.pg_last_wal_replay_lsn(), ${TIMELINE}, 1000 * EXTRACT(EPOCH FROM pg_catalog.clock_timestamp() - pg_catalog.pg_last_xact_replay_timestamp())`;

/** Returns the position up to which replicas can have received WAL: only flushed WAL is sent. Fails on a standby. */
export const PRIMARY_STATE = 'SELECT pg_catalog.pg_current_wal_flush_lsn()';

export type Assessment =
  | { readonly kind: 'serving'; readonly position: LogPosition; readonly lagMs: number }
  /** The replica does not answer; reads sent to it may never be answered. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The replica answers but must not serve reads. */
  | { readonly kind: 'ineligible'; readonly reason: string; readonly lagMs: number | undefined };

export interface AssessmentInput {
  readonly history: PositionHistory;
  /** Milliseconds of the monotonic clock. */
  readonly now: number;
  readonly maxLagMs: number;
  readonly isServing: boolean;
}

/** An excluded replica returns at half the lag limit; otherwise it would come and go at the limit. */
const RETURN_SHARE = 1 / 2;

/** Returns undefined while nothing is known about the primary. */
export function assessReplica(answer: ProbeAnswer, input: AssessmentInput): Assessment | undefined {
  if (!answer.ok) return { kind: 'unreachable', reason: answer.error };
  const position = readPosition(answer.value);
  if (position === undefined) return { kind: 'ineligible', reason: 'it is not a standby', lagMs: undefined };
  const { history, now, maxLagMs, isServing } = input;
  const lagMs = history.lagOf(position.lsn, now, readOwnLag(answer.value));
  if (lagMs === undefined) return undefined;
  if (lagMs <= (isServing ? maxLagMs : maxLagMs * RETURN_SHARE)) return { kind: 'serving', position, lagMs };
  return {
    kind: 'ineligible',
    reason:
      lagMs === Infinity
        ? 'its replication lag is unknown'
        : `it is ${(lagMs / 1000).toFixed(1)} seconds behind the primary`,
    lagMs,
  };
}

function readPosition([isInRecovery, lsnText, timelineText]: TextRow): LogPosition | undefined {
  const lsn = parseLsn(lsnText ?? '');
  const timeline = Number(timelineText ?? NaN);
  return isInRecovery !== 't' || lsn === undefined || Number.isNaN(timeline) ? undefined : { timeline, lsn };
}

/** Returns Infinity if the standby has not replayed any transaction yet. */
function readOwnLag([, , , milliseconds]: TextRow): number {
  return milliseconds === null || milliseconds === undefined ? Infinity : Math.max(0, Number(milliseconds));
}
