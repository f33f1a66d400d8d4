// Decides where a transaction may run (primary or standby) and whether a write reports its WAL position.
import type { HeaderList } from '../../contract/http.ts';
import type { DescribeAction, PlannedRows } from '../../plan/actions/action-plan.ts';
import { LOG_END } from '../../sql/log-end.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { type PositionCarrier, readFreshness } from './read-freshness.ts';

type PlannedReplicaUse = Pick<TransactionScript, 'freshness' | 'afterCommit'>;

const PRIMARY: PlannedReplicaUse = {};
const REPORTING: PlannedReplicaUse = { afterCommit: LOG_END };

/**
 * Volatile functions and schema descriptions run on the primary; a description must match the catalog loaded from
 * there. A standby does not support SERIALIZABLE, and a REPEATABLE READ snapshot would be taken before the position is
 * checked (https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CAVEATS). A write reports its position if
 * it commits and its response consists of rows.
 *
 * @param action undefined for a batch, whose reads run on the primary
 */
export function planReplicaUse(
  { access, end, isolation }: Pick<TransactionScript, 'access' | 'end' | 'isolation'>,
  action: PlannedRows | DescribeAction | undefined,
  headers: HeaderList,
  carrier: PositionCarrier,
): PlannedReplicaUse {
  if (action?.kind === 'describe') return PRIMARY;
  if (access === 'read write')
    return carrier.kind !== 'off' && end === 'commit' && action?.delivery.kind !== 'explain' ? REPORTING : PRIMARY;
  if (action === undefined || action.consistency === 'strong' || isolation === 'serializable') return PRIMARY;
  if (action.kind === 'call' && action.routine.volatility === 'volatile') return PRIMARY;
  const freshness = readFreshness(headers, carrier);
  return freshness === undefined || (isolation === 'repeatable read' && freshness !== 'any') ? PRIMARY : { freshness };
}
