// An action and what its request says of replicas → where its transaction may run, and whether a write tells its position.
import type { Freshness } from '../../contract/log-position.ts';
import type { IsolationLevel } from '../../contract/transaction.ts';
import type { DescribeAction, PlannedRows } from './action-plan.ts';

export interface ReplicaUse {
  /** What the request asks of its reads; undefined: the primary. */
  readonly freshness: Freshness | undefined;
  /** Writes are answered with their positions. */
  readonly reportsPositions: boolean;
}

/** What the script says of it. */
export interface PlannedReplicaUse {
  readonly freshness?: Freshness;
  readonly returnsPosition?: true;
}

const PRIMARY: PlannedReplicaUse = {};

/** Whether a write may tell where it is in the log: its transaction is to stay, and its answer is one of rows. */
export function reportsPosition(action: PlannedRows): boolean {
  return action.access === 'read write' && action.end === 'commit' && action.delivery.kind !== 'explain';
}

/**
 * Volatile functions stay with the primary, and so does what describes the schema: it belongs to what was loaded there. A
 * standby knows no SERIALIZABLE, and the snapshot of REPEATABLE READ would be older than the check of a position
 * (https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CAVEATS).
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
