// What answers requests: the configuration and schema cache in force, the pool, tokens and the log. Who reads configuration
// and schema stands above: the service of this process, or that of the process that started this one.
import type { AppConfig } from '../config/table/app-config.ts';
import { type Dialect, DIALECTS } from '../contract/dialect.ts';
import { PRODUCT } from '../contract/product.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Logger, LogOutput } from '../observe/logger.ts';
import type { ServiceCounters } from '../observe/service-metrics.ts';
import type { Observe } from '../observe/observation.ts';
import type { Pool } from '../postgres/pool/pool.ts';
import type { ReplicaSet } from '../postgres/replicas/replica-set.ts';
import type { ScriptRunner } from '../postgres/pool/script-runner.ts';
import { AppState } from './app-state.ts';
import { type ConnectionOptions, createPool, createScriptRunner } from './database/create-pool.ts';
import { createReplicaSet } from './database/create-replica-set.ts';
import { createLogger } from './logging/create-logger.ts';
import { RequestHandler } from './request-handler.ts';
import { JwtVerifier } from './tokens/jwt-verifier.ts';

export interface RequestServiceOptions {
  readonly config: AppConfig;
  /** Of the process; its `PG*` variables complete the connection string. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: LogOutput;
  /** Most connections to the database. Default: `db-pool`. */
  readonly poolSize?: number | undefined;
  /** Seconds until the next planned attempt to reach the database; 0 when none is planned. */
  readonly retryAfter: () => number;
  /** The database accepts fewer connections than the pool may open. */
  readonly onShortage: (error: ApiError) => void;
  /** A request has failed. */
  readonly onFailure: (error: ApiError) => void;
  /** The database has answered a request. */
  readonly onServed: () => void;
  /** Whether it is asked for rows, of which replicas may answer some. */
  readonly servesRequests: boolean;
  /** Which replicas get reads. */
  readonly observe: Observe;
}

export class RequestService {
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly connection: ConnectionOptions;
  readonly pool: Pool;
  /** Undefined where there are none. */
  readonly replicas: ReplicaSet | undefined;
  readonly state: AppState;
  readonly requests: RequestHandler;
  readonly #database: ScriptRunner;
  readonly #verifier: JwtVerifier;

  constructor({ config, environment, output, poolSize, retryAfter, servesRequests, ...events }: RequestServiceOptions) {
    const logger = createLogger(config, output);
    this.logger = logger;
    this.dialect = DIALECTS[config.dialect];
    this.connection = { connectionString: config.dbUri, environment, product: PRODUCT };
    const { connection } = this;
    this.pool = createPool(config, { size: poolSize, connection, logger, onShortage: events.onShortage });
    const primary = createScriptRunner(config, this.pool);
    const surroundings = { connection, logger, observe: events.observe };
    this.replicas = servesRequests ? createReplicaSet(config, primary, surroundings) : undefined;
    this.#database = this.replicas ?? primary;
    this.#verifier = createVerifier(logger);
    this.state = new AppState(config, {
      product: PRODUCT,
      dialect: this.dialect,
      pool: this.pool,
      database: this.#database,
      verifier: this.#verifier,
      retryAfter,
    });
    const { onFailure, onServed } = events;
    this.requests = new RequestHandler({ state: this.state, logger, onFailure, onServed });
  }

  get counters(): Pick<ServiceCounters, 'pool' | 'jwtCache' | 'replicas'> {
    return {
      pool: this.#database.statistics,
      jwtCache: this.#verifier.cacheCounters,
      replicas: this.replicas?.replicaStatistics,
    };
  }

  /** Requests that wait for a turn of streams, and want no connection before they have it. */
  get waitingForTurn(): number {
    return this.pool.waitingForTurn + (this.replicas?.waitingForTurn ?? 0);
  }

  /** Resolves when every connection is closed. */
  async close(): Promise<void> {
    await Promise.all([this.replicas?.close(), this.pool.close()]);
  }
}

function createVerifier(logger: Logger): JwtVerifier {
  return new JwtVerifier({
    now: () => Date.now() / 1000,
    onCacheEvent: (event) => {
      if (logger.isLogged('debug')) logger.observe({ kind: event === 'lookup' ? 'tokenLookedUp' : 'tokenEvicted' });
    },
  });
}
