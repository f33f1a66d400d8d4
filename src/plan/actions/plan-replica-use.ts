// Decides where a transaction may run (primary or standby) and whether a write reports its WAL position.
import type { Freshness } from '../../contract/log-position.ts';
import type { IsolationLevel } from '../../contract/transaction.ts';
import type { DescribeAction, PlannedRows } from './action-plan.ts';

export interface ReplicaUse {
  /** Freshness that the request requires of its reads; undefined: only the primary qualifies. */
  readonly freshness: Freshness | undefined;
  /** Whether responses to writes carry their WAL positions. */
  readonly reportsPositions: boolean;
}

/** The resulting fields of the script. */
export interface PlannedReplicaUse {
  readonly freshness?: Freshness;
  readonly returnsPosition?: true;
}

const PRIMARY: PlannedReplicaUse = {};

/** Whether a write may report its WAL position: it commits and its response consists of rows. */
export function reportsPosition(action: PlannedRows): boolean {
  return action.access === 'read write' && action.end === 'commit' && action.delivery.kind !== 'explain';
}

/**
 * Volatile functions and schema descriptions run on the primary; a description must match the catalog loaded from
 * there. A standby does not support SERIALIZABLE, and a REPEATABLE READ snapshot would be taken before the position is
 * checked (https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CAVEATS).
 */
export function planReplicaUse(
  action: PlannedRows | DescribeAction,
  isolation: IsolationLevel | undefined,
  { freshness, reportsPositions }: ReplicaUse,
): PlannedReplicaUse {
  if (action.kind === 'describe') return PRIMARY;
  if (action.access === 'read write')
    return reportsPositions && reportsPosition(action) ? { returnsPosition: true } : PRIMARY;
  if (action.kind === 'call' && action.routine.volatility === 'volatile') return PRIMARY;
  const isRepeatableRead = isolation === 'repeatable read' && freshness !== 'any';
  if (freshness === undefined || action.consistency === 'strong') return PRIMARY;
  return isolation === 'serializable' || isRepeatableRead ? PRIMARY : { freshness };
}
