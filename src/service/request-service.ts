// The part of the service that answers requests: current configuration and schema cache, pool, tokens and log. Does not
// load configuration or schema: that is done by `Service` in this process or in the primary process.
import type { AppConfig } from '../config/table/app-config.ts';
import { type Dialect, DIALECTS } from '../contract/dialect.ts';
import type { HttpRequest } from '../contract/http.ts';
import { PRODUCT } from '../contract/product.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Logger, LogOutput } from '../observe/logger.ts';
import { describeLiveMetrics } from '../observe/live-metrics.ts';
import { describeReplicaMetrics } from '../observe/replica-metrics.ts';
import type { ServiceCounters } from '../observe/service-metrics.ts';
import type { Observe } from '../observe/observation.ts';
import { openLogStream } from '../postgres/replication/log-stream.ts';
import { query } from '../postgres/session/query.ts';
import { openChannelListener } from '../postgres/session/channel-listener.ts';
import type { Pool, ScriptRunner } from '../postgres/pool/pool.ts';
import type { ReplicaSet } from '../postgres/replicas/replica-set.ts';
import { applyRunning, type Extension, type Running, type ServiceSeams } from '../serve/extension.ts';
import { AppState } from './app-state.ts';
import { type ConnectionOptions, createPool, createScriptRunner } from './database/create-pool.ts';
import { createReplicaSet } from './database/create-replica-set.ts';
import { createLogger } from './logging/create-logger.ts';
import { RequestHandler } from './request-handler.ts';
import type { LogFeedOptions } from './streams/log-feed.ts';
import { ServiceStreams } from './streams/service-streams.ts';
import { JwtVerifier } from './tokens/jwt-verifier.ts';

export interface RequestServiceOptions {
  readonly config: AppConfig;
  /** Environment of the process; `PG*` variables complete the connection string. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: LogOutput;
  /** Maximum number of database connections; defaults to `db-pool`. */
  readonly poolSize?: number | undefined;
  /** Seconds until the next planned attempt to reach the database; 0 if none is planned. */
  readonly retryAfter: () => number;
  /** Called if the database accepts fewer connections than the pool may open. */
  readonly onShortage: (error: ApiError) => void;
  /** Called when a request has failed. */
  readonly onFailure: (error: ApiError) => void;
  /** Called when the database has answered a request. */
  readonly onServed: () => void;
  /** Asks an extension in the primary process, by its name; undefined in that process. */
  readonly askPrimary?: ((extension: string, question: unknown) => Promise<unknown>) | undefined;
  /** Whether this process serves requests, which replicas may answer too. */
  readonly servesRequests: boolean;
  /** Opens the log of the database; defaults to a connection of this process. */
  readonly openLog?: LogFeedOptions['open'];
  /** Whether the explorer shows the SQL console. */
  readonly hasConsole?: boolean | undefined;
  readonly extensions: readonly Extension[];
  /** Reports which replicas get reads. */
  readonly observe: Observe;
}

export class RequestService {
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly connection: ConnectionOptions;
  readonly pool: Pool;
  /** Undefined if no replicas are configured. */
  readonly replicas: ReplicaSet | undefined;
  readonly state: AppState;
  readonly requests: RequestHandler;
  readonly streams: ServiceStreams;
  readonly openLog: LogFeedOptions['open'];
  /** By the name of the extension. */
  readonly running: ReadonlyMap<string, Running>;
  readonly #database: ScriptRunner;
  readonly #verifier: JwtVerifier;

  constructor({
    config,
    environment,
    output,
    poolSize,
    retryAfter,
    servesRequests,
    hasConsole,
    extensions,
    ...events
  }: RequestServiceOptions) {
    const logger = createLogger(config, output);
    this.logger = logger;
    this.dialect = DIALECTS[config.dialect];
    this.connection = { connectionString: config.dbUri, environment, product: PRODUCT };
    const { connection } = this;
    this.pool = createPool(config, {
      size: poolSize,
      connection,
      logger,
      extensions,
      onShortage: events.onShortage,
    });
    const primary = createScriptRunner(config, this.pool);
    const dependencies = { connection, logger, extensions, observe: events.observe };
    this.replicas = servesRequests ? createReplicaSet(config, primary, dependencies) : undefined;
    this.#database = this.replicas ?? primary;
    this.#verifier = createVerifier(logger);
    this.openLog = events.openLog ?? createLogOpener(config, connection);
    this.streams = this.#createStreams(events.observe);
    this.state = this.#createState(config, { retryAfter, hasConsole, extensions });
    const { onFailure, onServed } = events;
    this.running = this.#start(extensions, { servesRequests, ...events });
    this.requests = new RequestHandler({ state: this.state, logger, onFailure, onServed }, this.#apply());
  }

  get counters(): Pick<ServiceCounters, 'pool' | 'jwtCache' | 'extensions'> {
    const { replicaStatistics } = this.replicas ?? {};
    const live = this.streams.counters;
    return {
      pool: this.#database.statistics,
      jwtCache: this.#verifier.cacheCounters,
      extensions: [
        ...[...this.running.values()].flatMap((running) => running.metrics?.() ?? []),
        ...(replicaStatistics === undefined ? [] : describeReplicaMetrics(replicaStatistics)),
        ...(live === undefined ? [] : describeLiveMetrics(live)),
      ],
    };
  }

  #createState(
    config: AppConfig,
    parts: Pick<RequestServiceOptions, 'retryAfter' | 'hasConsole' | 'extensions'>,
  ): AppState {
    return new AppState(config, {
      ...parts,
      product: PRODUCT,
      dialect: this.dialect,
      pool: this.pool,
      database: this.#database,
      verifier: this.#verifier,
      streams: this.streams,
      onReplaced: () => {
        this.requests.apply(this.#apply());
        this.streams.refresh();
      },
    });
  }

  #start(
    extensions: readonly Extension[],
    {
      servesRequests,
      observe,
      askPrimary: ask,
    }: Pick<RequestServiceOptions, 'servesRequests' | 'observe' | 'askPrimary'>,
  ): ReadonlyMap<string, Running> {
    const { dialect, connection } = this;
    const environment = {
      product: PRODUCT,
      dialect,
      connection,
      servesRequests,
      observe,
      snapshot: (request: HttpRequest) => this.state.snapshot(undefined, request),
      awaitKeys: (request: HttpRequest) => this.state.awaitKeys(request),
      onKeysReplaced: () => this.#verifier.replaceKeys(),
    };
    const started = new Map<string, Running>();
    for (const { name, start } of extensions) {
      const askPrimary = ask && ((question: unknown) => ask(name, question));
      const running = start?.({ ...environment, askPrimary });
      if (running !== undefined) started.set(name, running);
    }
    return started;
  }

  #apply(): ServiceSeams {
    const seams = applyRunning([...this.running.values()], this.state.snapshot());
    this.#verifier.useProvider(seams.keys);
    return seams;
  }

  #createStreams(observe: Observe): ServiceStreams {
    const { connection } = this;
    return new ServiceStreams({
      context: (signal) => this.state.snapshot(signal),
      channels: {
        open: (listening) => openChannelListener({ ...listening, connection }),
        gapName: `${this.dialect.settingsPrefix}gap`,
        observe,
      },
      live: {
        observe,
        open: this.openLog,
        query: (text, parameters) => this.pool.use((session) => query(session, text, parameters)),
      },
    });
  }

  /**
   * Number of requests that need no connection now: they wait for a stream permit before they request one, are answered
   * with events, or wait for rows that they will share.
   */
  get waitingForPermit(): number {
    return this.pool.waitingForPermit + (this.replicas?.waitingForPermit ?? 0) + this.streams.size;
  }

  /** Resolves when every connection is closed. */
  async close(): Promise<void> {
    const closing = [...this.running.values()].map((running) => running.close?.());
    await Promise.all([...closing, this.streams.close(), this.replicas?.close(), this.pool.close()]);
  }
}

function createVerifier(logger: Logger): JwtVerifier {
  let isLogged = false;
  logger.followDebug((isDebug) => (isLogged = isDebug));
  return new JwtVerifier({
    now: () => Date.now() / 1000,
    onCacheEvent: (event) => {
      if (isLogged) logger.observe({ kind: event === 'lookup' ? 'tokenLookedUp' : 'tokenEvicted' });
    },
  });
}

function createLogOpener(
  { liveDbUri, livePublication = '' }: AppConfig,
  connection: ConnectionOptions,
): LogFeedOptions['open'] {
  const replication = { ...connection, connectionString: liveDbUri ?? connection.connectionString };
  return (log) => openLogStream({ ...log, connection: replication, publication: livePublication });
}
