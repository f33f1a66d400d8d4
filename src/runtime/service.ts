// The service without its HTTP servers: creates and supervises configuration, pool, schema cache and listener.
// Requests arrive as records, signals as method calls.
import { renderSchemaCacheDump } from '../catalog/dump.ts';
import { summarizeSchemaCache } from '../catalog/summary.ts';
import { isDatabaseNamed } from '../config/ambient-variables.ts';
import type { AppConfig } from '../config/app-config.ts';
import { OPTIONS } from '../config/options.ts';
import type { SettingsByRole } from '../config/role-settings.ts';
import { listShownOptions } from '../config/shown-options.ts';
import { type Dialect, DIALECTS } from '../contract/dialect.ts';
import { PRODUCT } from '../contract/product.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { isConnectionFailure } from '../errors/connection-failure.ts';
import type { Logger, LogOutput } from '../observe/logger.ts';
import type { Observation } from '../observe/observation.ts';
import type { ServiceCounters } from '../observe/service-metrics.ts';
import type { StatusFacts } from '../observe/status.ts';
import { checkAnswering } from '../postgres/check-answering.ts';
import { findSettingsFault } from '../postgres/connect.ts';
import { openListener } from '../postgres/listener.ts';
import type { Pool } from '../postgres/pool.ts';
import { query } from '../postgres/query.ts';
import type { ReplicaSet } from '../postgres/replicas/replica-set.ts';
import type { ScriptRunner } from '../postgres/script-runner.ts';
import { AppState } from './app-state.ts';
import { CacheLoader } from './schema-cache/cache-loader.ts';
import { ConfigReloader } from './configuration/config-reloader.ts';
import { createLogger } from './logging/create-logger.ts';
import { type ConnectionOptions, createPool, createScriptRunner } from './database/create-pool.ts';
import { createReplicaSet, findReplicaFault } from './database/create-replica-set.ts';
import { describeListening, describeLoad } from './supervision/describe-problem.ts';
import { findFatalError } from './supervision/find-fatal-error.ts';
import { InternalQueries } from './database/internal-queries.ts';
import { JwtVerifier } from './tokens/jwt-verifier.ts';
import { ListenerKeeper } from './supervision/listener-keeper.ts';
import { LoadLoop } from './schema-cache/load-loop.ts';
import type { ReadConfig } from './configuration/read-config.ts';
import { RequestHandler } from './request-handler.ts';
import { waitAtMost } from './scheduling/wait-at-most.ts';

export interface ServiceOptions {
  readonly config: AppConfig;
  readonly readConfig: ReadConfig;
  /** Of the process; its `PG*` variables complete the connection string. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: LogOutput;
  /** The service cannot go on; it has logged why. Called once at most. */
  readonly onFatal: (message: string) => void;
  /** The schema has been loaded. @param begun since when, in milliseconds since 1970; later changes may be missing */
  readonly onSchemaLoaded?: ((begun: number) => void) | undefined;
}

/** How long the first load waits for the listener, so that no change is missed between the two. */
const LISTENER_TIMEOUT_MS = 2000;
/** A database that is available again accepts and answers a connection in this time, or is found at the next attempt. */
const PROBE_TIMEOUT_MS = 1500;
/** How long the shutdown waits for the connections to the database to be closed. */
const CLOSE_TIMEOUT_MS = 1000;
/** How long a database on this machine, named by nothing, has to answer at the start. */
const UNNAMED_TIMEOUT_MS = 10_000;

export class Service {
  readonly logger: Logger;
  readonly requests: RequestHandler;
  readonly #dialect: Dialect;
  readonly #connection: ConnectionOptions;
  readonly #onFatal: (message: string) => void;
  readonly #onSchemaLoaded: (begun: number) => void;
  readonly #state: AppState;
  readonly #pool: Pool;
  /** Undefined where there are none. */
  readonly #replicas: ReplicaSet | undefined;
  readonly #database: ScriptRunner;
  readonly #verifier: JwtVerifier;
  readonly #internal: InternalQueries;
  readonly #listener: ListenerKeeper;
  readonly #configReloader: ConfigReloader;
  readonly #loader: CacheLoader;
  readonly #loop: LoadLoop;
  #hasEnded = false;
  /** Events caused by the shutdown itself are not reported. */
  readonly #observe = (observation: Observation): void => {
    if (!this.#hasEnded) this.logger.observe(observation);
  };

  constructor({ config, readConfig, environment, output, onFatal, onSchemaLoaded }: ServiceOptions) {
    this.logger = createLogger(config, output);
    this.#dialect = DIALECTS[config.dialect];
    this.#onFatal = onFatal;
    this.#onSchemaLoaded = onSchemaLoaded ?? (() => undefined);
    this.#connection = { connectionString: config.dbUri, environment, product: PRODUCT };
    this.#pool = createPool(config, {
      connection: this.#connection,
      logger: this.logger,
      onShortage: (error) => this.#noticeShortage(error),
    });
    const primary = createScriptRunner(config, this.#pool);
    const surroundings = { connection: this.#connection, logger: this.logger, observe: this.#observe };
    this.#replicas = createReplicaSet(config, primary, surroundings);
    this.#database = this.#replicas ?? primary;
    this.#internal = new InternalQueries(this.#pool);
    this.#verifier = this.#createVerifier();
    this.#loop = this.#createLoop();
    this.#state = new AppState(config, {
      product: PRODUCT,
      dialect: this.#dialect,
      pool: this.#pool,
      database: this.#database,
      verifier: this.#verifier,
      retryAfter: () => this.#loop.retryAfter,
    });
    this.#listener = this.#createListener();
    this.#configReloader = this.#createConfigReloader(readConfig);
    this.#loader = this.#createLoader();
    this.requests = new RequestHandler({
      state: this.#state,
      logger: this.logger,
      onFailure: (error) => this.#noticeFailure(error),
      onServed: () => this.#noticeSuccess(),
    });
  }

  /** Resolves after the first attempt to load the schema cache (with `server-reuseport`: the first to succeed). */
  async start(): Promise<void> {
    const { config } = this.#state;
    const fault = (await findSettingsFault(this.#connection)) ?? (await findReplicaFault(config, this.#connection));
    if (fault !== undefined) return this.end({ kind: 'connectionUnusable', reason: fault });
    if (await this.#isDatabaseMissing()) return this.end({ kind: 'databaseNotNamed' });
    for (const complaint of config.complaints) this.logger.observe({ kind: 'configDoubtful', complaint });
    if (config.environmentPrefix !== this.#dialect.environmentPrefix)
      this.logger.observe({ kind: 'foreignEnvironment', read: config.environmentPrefix, dialect: this.#dialect });
    if (!config.dbConfig) this.#warnOfRolePath();
    this.#listener.apply(config);
    this.#replicas?.start();
    this.#loop.request();
    await this.#loop.awaitAttempt(config.serverReuseport ? 'succeeded' : 'ended');
  }

  get config(): AppConfig {
    return this.#state.config;
  }

  get dialect(): Dialect {
    return this.#dialect;
  }

  /** Neither failed nor stopped. */
  get isRunning(): boolean {
    return !this.#hasEnded;
  }

  /** Resolves when the new cache serves, or with the reason why it does not; further attempts follow then. */
  async reloadSchemaCache(): Promise<Result<void, string>> {
    const hasSucceeded = await this.#loop.requestAttempt();
    if (hasSucceeded === true) return ok(undefined);
    const { failure } = this.#loader;
    return fail(failure === undefined ? 'The service has ended' : this.logger.printError(failure));
  }

  async reloadConfig(): Promise<void> {
    await this.#configReloader.reload();
  }

  /** Whether the last load succeeded and the database can be reached (`operating.md` §8 item 4). */
  async isReady(): Promise<boolean> {
    return (await this.findProblems()).length === 0;
  }

  /** Why it is not ready, in sentences. */
  async findProblems(): Promise<readonly string[]> {
    const { failure } = this.#loader;
    if (!this.#loop.hasSucceeded) return [describeLoad(failure && this.logger.describeError(failure))];
    const { dbChannel, dbChannelEnabled } = this.#state.config;
    if (dbChannelEnabled)
      return this.#listener.isListening ? [] : [describeListening(dbChannel, this.#listener.failure)];
    const probe = await this.#internal.use((session) => query(session, 'SELECT 1'));
    return probe.ok ? [] : [`The database does not answer: ${this.logger.describeError(probe.error).message}`];
  }

  /** What it tells at `/status`, beside its readiness and what its servers know. */
  get status(): Pick<StatusFacts, 'dialect' | 'summary' | 'loadedAt' | 'listener' | 'configuration'> & {
    readonly databaseVersion: string | undefined;
  } {
    const { config, cache } = this.#state;
    const state = config.dbChannelEnabled ? (this.#listener.isListening ? 'listening' : 'lost') : 'off';
    return {
      dialect: config.dialect,
      databaseVersion: this.#loader.databaseVersion,
      summary: cache && summarizeSchemaCache(cache),
      loadedAt: this.#loader.counters.loadedAt,
      listener: { state, channel: config.dbChannel },
      configuration: listShownOptions(config),
    };
  }

  get counters(): ServiceCounters {
    const { queryTime, succeeded, failed } = this.#loader.counters;
    return {
      cacheQueryTime: queryTime,
      cacheLoads: { succeeded, failed },
      pool: this.#database.statistics,
      jwtCache: this.#verifier.cacheCounters,
      replicas: this.#replicas?.replicaStatistics,
    };
  }

  /** Undefined before the first successful load. */
  dumpSchemaCache(): string | undefined {
    return this.#state.cache && renderSchemaCacheDump(this.#state.cache);
  }

  /** Logs the reason and calls `onFatal`. */
  end(reason: Observation): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#loop.stop();
    this.logger.observe(reason);
    this.#onFatal(this.logger.describe(reason));
  }

  /** To be called when no request is in progress any more. */
  async stop(): Promise<void> {
    this.#hasEnded = true;
    this.#loop.stop();
    this.#internal.abandon();
    await waitAtMost(
      CLOSE_TIMEOUT_MS,
      Promise.all([this.#listener.close(), this.#replicas?.close(), this.#pool.close()]),
    );
  }

  /** Nothing says where the database is, and none is where one would be. */
  async #isDatabaseMissing(): Promise<boolean> {
    const { connectionString, environment } = this.#connection;
    const isNamed = connectionString !== OPTIONS.dbUri.default || isDatabaseNamed((name) => environment[name]);
    return !isNamed && !(await checkAnswering(this.#connection, UNNAMED_TIMEOUT_MS));
  }

  #createVerifier(): JwtVerifier {
    const { logger } = this;
    return new JwtVerifier({
      now: () => Date.now() / 1000,
      onCacheEvent: (event) => {
        if (logger.isLogged('debug')) logger.observe({ kind: event === 'lookup' ? 'tokenLookedUp' : 'tokenEvicted' });
      },
    });
  }

  #createLoop(): LoadLoop {
    return new LoadLoop({
      attempt: (isRetry) => this.#loader.attempt(isRetry),
      onWaiting: (seconds) => this.#observe({ kind: 'reconnecting', seconds }),
      isBack: async () => this.#loader.isDatabaseAway && checkAnswering(this.#connection, PROBE_TIMEOUT_MS),
    });
  }

  #createListener(): ListenerKeeper {
    return new ListenerKeeper({
      open: (options) => openListener({ ...options, connection: this.#connection }),
      observe: this.#observe,
      onSchemaNotified: () => this.#loop.request(),
      onConfigNotified: () => void this.#configReloader.reload(),
      onConnected: () => {
        if (this.#loader.hasBegun) this.#loop.request();
      },
      onFailed: (error) => this.#endIfFatal(error, true) || this.#endWithoutRecovery(),
    });
  }

  #createConfigReloader(readConfig: ReadConfig): ConfigReloader {
    return new ConfigReloader({
      provider: this.#internal,
      readConfig,
      current: () => this.#state.config,
      observe: this.#observe,
      apply: (config, roles) => this.#applyConfig(config, roles),
    });
  }

  #createLoader(): CacheLoader {
    return new CacheLoader({
      state: this.#state,
      pool: this.#pool,
      provider: this.#internal,
      observe: this.#observe,
      reloadConfig: () => this.#configReloader.reload(),
      awaitListener: () => waitAtMost(LISTENER_TIMEOUT_MS, this.#listener.firstAttempt),
      onLoaded: (begun) => {
        this.#replicas?.flush();
        this.#onSchemaLoaded(begun);
      },
      endIfFatal: (error) => this.#endIfFatal(error, true),
      end: (reason) => this.end(reason),
    });
  }

  #applyConfig(config: AppConfig, roles: SettingsByRole): void {
    this.logger.apply(config);
    this.#state.applyConfig(config, roles);
    this.#listener.apply(config);
    this.#warnOfRolePath();
  }

  #warnOfRolePath(): void {
    const { config, rolePathReplacement: replacement } = this.#state;
    if (replacement === undefined) return;
    this.logger.observe({ kind: 'rolePathDeprecated', path: config.jwtRoleClaimKey, replacement });
  }

  /** Of a request. */
  #noticeFailure(error: ApiError): void {
    if (this.#endIfFatal(error, false) || this.#state.cache === undefined) return;
    if (isConnectionFailure(error)) this.#loop.noticeLoss();
  }

  /** A request's connection may be the last one available: the probe in the pause would get none. */
  #noticeSuccess(): void {
    if (this.#loop.isPausing && this.#loader.isDatabaseAway) this.#loop.request();
  }

  #noticeShortage(error: ApiError): void {
    if (!this.#endIfFatal(error, true)) this.#observe({ kind: 'poolCramped', error });
  }

  #endIfFatal(error: ApiError, isInternal: boolean): boolean {
    const kind = findFatalError(error, isInternal);
    if (kind !== undefined) this.end({ kind, failure: this.logger.describeError(error) });
    return kind !== undefined;
  }

  #endWithoutRecovery(): boolean {
    if (this.#state.config.dbPoolAutomaticRecovery) return false;
    // At start-up, the cause may make the first load fail as well, whose error is more informative.
    void this.#loop.awaitAttempt('ended').then(() => this.end({ kind: 'recoveryDisabled' }));
    return true;
  }
}
