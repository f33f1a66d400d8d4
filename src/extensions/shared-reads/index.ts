// Lets concurrent reads share one write to a connection (`docs/decisions/batches.md`): a dispatcher in front of each pool
// collects the reads of one turn of the event loop. Without this extension, each script uses a separate session.
import type { Extension } from '../../serve/extension.ts';
import type { PoolExtension } from '../../service/database/create-pool.ts';
import { BATCH_TIMES } from './batch-rules.ts';
import { ReadDispatcher } from './read-dispatcher.ts';
import { COST_LIMITS, StatementCosts } from './statement-costs.ts';

export const SHARED_READS: Extension & PoolExtension = {
  name: 'shared-reads',
  runScripts(config, pool) {
    if (!config.dbBatchReads) return undefined;
    // If plans are discarded when the role changes, each script must end before the next one is sent. Poolers without
    // prepared statement support mix up several transactions in one write.
    if (config.dbDiscardPlans || !config.dbPreparedStatements) return undefined;
    const acquisitionTimeoutMs = config.dbPoolAcquisitionTimeout * 1000;
    const costs = new StatementCosts(COST_LIMITS);
    return new ReadDispatcher({ pool, acquisitionTimeoutMs, costs, times: BATCH_TIMES });
  },
};
