// Creates the connection pool from the configuration. Logs pool events at level `debug`.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Logger } from '../../observe/logger.ts';
import type { Observation } from '../../observe/observation.ts';
import type { PoolEvent } from '../../postgres/pool/session-supply.ts';
import { connect, type ConnectOptions } from '../../postgres/session/open-session.ts';
import { type Extension, onlyOf, type ServerConnections } from '../../serve/extension.ts';
import { Pool, type PoolOptions, type ScriptRunner } from '../../postgres/pool/pool.ts';

export type ConnectionOptions = Omit<ConnectOptions, 'isPreparing' | 'targetSession'>;

/** What an extension adds to each pool. */
export interface PoolExtension {
  /** @returns what runs scripts in front of the pool; undefined if nothing does */
  readonly runScripts?: (config: AppConfig, pool: Pool) => ScriptRunner | undefined;
}

export type ServiceExtension = Extension & PoolExtension;

export interface PoolDependencies {
  /** One of them may guard scripts. */
  readonly extensions: readonly ServiceExtension[];
  /** Maximum number of connections; defaults to `db-pool`. */
  readonly size?: number | undefined;
  /** Fixed at startup, like the limits of the pool. */
  readonly connection: ConnectionOptions;
  readonly logger: Logger;
  /** Called if the database accepts fewer connections than the pool may open. */
  readonly onShortage?: (error: ApiError) => void;
}

export function createPool(config: AppConfig, dependencies: PoolDependencies): Pool {
  const { size, connection, logger, onShortage, extensions } = dependencies;
  const onEvent = (event: PoolEvent): void => {
    const observation = describePoolEvent(event);
    if (observation !== undefined) logger.observe(observation);
  };
  const options: PoolOptions & { onEvent: PoolOptions['onEvent'] } = {
    maxConnections: size ?? config.dbPool,
    acquisitionTimeoutMs: config.dbPoolAcquisitionTimeout * 1000,
    maxIdleTimeMs: config.dbPoolMaxIdletime * 1000,
    maxLifetimeMs: config.dbPoolMaxLifetime * 1000,
    // The backends of a pooler serve others, too.
    keepsHeap: config.dbKeepHeap && config.dbPreparedStatements,
    guard: onlyOf(extensions, 'guardScripts')?.(),
    ...(onShortage && { onShortage }),
    connect: () =>
      connect({
        ...connection,
        isPreparing: config.dbPreparedStatements,
        isDiscardingPlans: config.dbDiscardPlans,
      }),
    onEvent: undefined,
  };
  // The pool reads it at every event.
  logger.followDebug((isDebug) => (options.onEvent = isDebug ? onEvent : undefined));
  return new Pool(options);
}

/** Returns the runner for requests: the pool, or what an extension puts in front of it. */
export function createScriptRunner(
  config: AppConfig,
  pool: Pool,
  extensions: readonly ServiceExtension[],
): ScriptRunner {
  return onlyOf(extensions, 'runScripts')?.(config, pool) ?? pool;
}

/** Connects to a server with a pool of its own. */
export function openServer(config: AppConfig, dependencies: PoolDependencies): ServerConnections {
  const pool = createPool(config, dependencies);
  return joinConnections(pool, createScriptRunner(config, pool, dependencies.extensions));
}

/** @param runner runs scripts on the pool */
export function joinConnections(pool: Pool, runner: ScriptRunner): ServerConnections {
  return {
    get statistics() {
      return runner.statistics;
    },
    runScript: (script, signal) => runner.runScript(script, signal),
    flush: () => pool.flush(),
    close: () => pool.close(),
  };
}

/**
 * Converts pool events to observations for the debug log (`operating.md` §10.5). Returns `undefined` for an event that
 * is reported with the request.
 */
function describePoolEvent(event: PoolEvent): Observation | undefined {
  switch (event.kind) {
    case 'acquiring':
      return { kind: 'poolActive', activity: 'borrowing' };
    case 'acquired':
      return { kind: 'poolActive', activity: 'borrowed' };
    case 'flushed':
      return { kind: 'poolActive', activity: 'flushed' };
    case 'timedOut':
      return undefined;
    case 'connecting':
      return connectionObservation(event.connection, 'is being established');
    case 'available':
      return connectionObservation(event.connection, `is available due to ${event.reason}`);
    case 'used':
      return connectionObservation(event.connection, 'is used');
    case 'terminated':
      return connectionObservation(event.connection, `is terminated due to ${event.reason}`);
  }
}

function connectionObservation(connection: number, activity: string): Observation {
  return { kind: 'connectionActive', connection, activity };
}
