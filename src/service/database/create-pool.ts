// Configuration → the pool of a running server. Its events are logged at level `debug`.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Logger } from '../../observe/logger.ts';
import { BATCH_TIMES } from '../../postgres/batches/batch-rules.ts';
import { connect, type ConnectOptions } from '../../postgres/session/open-session.ts';
import { Pool } from '../../postgres/pool/pool.ts';
import type { PoolEvent } from '../../postgres/pool/pool-event.ts';
import { ReadDispatcher } from '../../postgres/batches/read-dispatcher.ts';
import type { ScriptRunner } from '../../postgres/pool/script-runner.ts';
import { COST_LIMITS, StatementCosts } from '../../postgres/batches/statement-costs.ts';
import { describePoolEvent } from './pool-observations.ts';

export type ConnectionOptions = Omit<ConnectOptions, 'isPreparing' | 'targetSession'>;

export interface PoolDependencies {
  /** Most connections. Default: `db-pool`. */
  readonly size?: number | undefined;
  /** Stays what it is at start-up, as do the pool's limits. */
  readonly connection: ConnectionOptions;
  readonly logger: Logger;
  /** The database accepts fewer connections than the pool may open. */
  readonly onShortage?: (error: ApiError) => void;
}

export function createPool(config: AppConfig, { size, connection, logger, onShortage }: PoolDependencies): Pool {
  const onEvent = (event: PoolEvent): void => {
    const observation = describePoolEvent(event);
    if (observation !== undefined) logger.observe(observation);
  };
  return new Pool({
    maxConnections: size ?? config.dbPool,
    acquisitionTimeoutMs: config.dbPoolAcquisitionTimeout * 1000,
    maxIdleTimeMs: config.dbPoolMaxIdletime * 1000,
    maxLifetimeMs: config.dbPoolMaxLifetime * 1000,
    ...(onShortage && { onShortage }),
    connect: () =>
      connect({
        ...connection,
        isPreparing: config.dbPreparedStatements,
        isDiscardingPlans: config.dbDiscardPlans,
      }),
    // Checked at every event, since the level can change while the server runs.
    get onEvent() {
      return logger.isLogged('debug') ? onEvent : undefined;
    },
  });
}

/** What runs the scripts of requests: the pool, behind a dispatcher where reads may share a write. */
export function createScriptRunner(config: AppConfig, pool: Pool): ScriptRunner {
  return createDispatcher(config, pool) ?? pool;
}

/**
 * Where plans are forgotten when the role changes, a script has to be over before the next one is written. Poolers that
 * cannot keep prepared statements mix up several transactions in one write.
 */
export function createDispatcher(config: AppConfig, pool: Pool): ReadDispatcher | undefined {
  if (!config.dbBatchReads || config.dbDiscardPlans || !config.dbPreparedStatements) return undefined;
  const acquisitionTimeoutMs = config.dbPoolAcquisitionTimeout * 1000;
  const costs = new StatementCosts(COST_LIMITS);
  return new ReadDispatcher({ pool, acquisitionTimeoutMs, costs, times: BATCH_TIMES });
}
