// The service without its HTTP servers: creates and supervises configuration, pool, schema cache and listener.
// Requests arrive as records, signals as method calls. This is the one place where these parts are connected: each knows
// the others by the callbacks given here.
import type { AppConfig } from '../config/table/app-config.ts';
import type { SettingsByRole } from '../config/resolve/role-settings.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { type ApiError, isConnectionFailure } from '../errors/api-error.ts';
import type { Logger, LogOutput } from '../observe/logger.ts';
import type { Observation } from '../observe/observation.ts';
import { checkAnswering } from '../postgres/session/open-session.ts';
import { openListener } from '../postgres/session/listener.ts';
import { waitAtMost } from './scheduling/waiting.ts';
import { CacheLoader } from './schema-cache/cache-loader.ts';
import { ConfigReloader } from './configuration/config-reloader.ts';
import type { WorkerChannel } from './worker-channel.ts';
import { findFatalError } from './supervision/find-fatal-error.ts';
import type { ServiceExtension } from './database/create-pool.ts';
import { findStartFault } from './database/find-start-fault.ts';
import { InternalQueries } from './database/internal-queries.ts';
import { ListenerKeeper } from './supervision/listener-keeper.ts';
import { LoadLoop } from './schema-cache/load-loop.ts';
import type { ReadConfig } from './configuration/read-config.ts';
import { RequestService } from './request-service.ts';
import { ServiceHealth } from './service-health.ts';

export interface ServiceOptions {
  readonly config: AppConfig;
  readonly readConfig: ReadConfig;
  /** Environment of the process; `PG*` variables complete the connection string. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: LogOutput;
  /** Called at most once, if the service cannot continue. The reason has been logged. */
  readonly onFatal: (message: string) => void;
  /**
   * Called when the schema has been loaded. @param startedAt milliseconds since the epoch; the cache may lack later changes
   */
  readonly onSchemaLoaded?: ((startedAt: number) => void) | undefined;
  /** Whether the server has a SQL console, which the explorer then shows. */
  readonly hasConsole?: boolean | undefined;
  /** Whether requests arrive through handlers in a host application, which may authenticate them. */
  readonly isMounted?: boolean;
  readonly extensions: readonly ServiceExtension[];
  /** Undefined if this process answers requests itself. */
  readonly workerChannel?: WorkerChannel | undefined;
}

/** How long the first load waits for the listener, so that no change between the two is missed. */
const LISTENER_TIMEOUT_MS = 2000;
/** Timeout of a check whether the database is available again; a slower database is found by the next attempt. */
const PROBE_TIMEOUT_MS = 1500;
/** How long shutdown waits for database connections to close. */
const CLOSE_TIMEOUT_MS = 1000;
/** Pool size of a process that serves no requests: one connection to read the catalog, one to check readiness. */
const OWN_POOL_SIZE = 2;

export class Service {
  readonly health: ServiceHealth;
  readonly serving: RequestService;
  readonly #onFatal: (message: string) => void;
  readonly #onSchemaLoaded: (startedAt: number) => void;
  readonly #workerChannel: WorkerChannel | undefined;
  readonly #internal: InternalQueries;
  readonly #listener: ListenerKeeper;
  readonly #configReloader: ConfigReloader;
  readonly #loader: CacheLoader;
  readonly #loop: LoadLoop;
  #hasEnded = false;
  #takesTokens: boolean;
  /** Suppresses events that the shutdown causes. */
  readonly #observe = (observation: Observation): void => {
    if (!this.#hasEnded) this.logger.observe(observation);
  };

  constructor(options: ServiceOptions) {
    const {
      config,
      readConfig,
      environment,
      output,
      onFatal,
      onSchemaLoaded,
      isMounted,
      workerChannel,
      hasConsole,
      extensions,
    } = options;
    this.#onFatal = onFatal;
    this.#takesTokens = isMounted !== true;
    this.#onSchemaLoaded = onSchemaLoaded ?? (() => undefined);
    this.#workerChannel = workerChannel;
    this.serving = new RequestService({
      config,
      environment,
      output,
      poolSize: workerChannel === undefined ? undefined : OWN_POOL_SIZE,
      retryAfter: () => this.#loop.retryAfter,
      onShortage: (error) => this.#noticeShortage(error),
      onFailure: (error) => this.#noticeFailure(error),
      onServed: () => this.noticeSuccess(),
      servesRequests: workerChannel === undefined,
      reportsShared: true,
      hasConsole,
      extensions,
      observe: this.#observe,
    });
    this.#internal = new InternalQueries(this.serving.pool);
    this.#loop = this.#createLoop();
    this.#listener = this.#createListener();
    this.#configReloader = this.#createConfigReloader(readConfig);
    this.#loader = this.#createLoader();
    this.health = new ServiceHealth({
      serving: this.serving,
      loader: this.#loader,
      loop: this.#loop,
      listener: this.#listener,
      internal: this.#internal,
    });
  }

  /** Resolves after the first attempt to load the schema cache (with `server-reuseport`: the first successful one). */
  async start(): Promise<void> {
    const { config } = this;
    const running = [...this.serving.running.values()];
    const fault = await findStartFault(config, this.serving.connection, running);
    if (fault !== undefined) return this.end(fault);
    for (const complaint of config.warnings) this.logger.observe({ kind: 'configDoubtful', complaint });
    if (config.environmentPrefix !== this.serving.dialect.environmentPrefix)
      this.logger.observe({
        kind: 'foreignEnvironment',
        read: config.environmentPrefix,
        dialect: this.serving.dialect,
      });
    if (!config.dbConfig) this.#warnOfRolePath();
    for (const { findProblem } of running) {
      const text = await findProblem?.(config);
      if (text !== undefined) this.logger.observe({ kind: 'setupIncomplete', text });
    }
    this.#listener.apply(config);
    for (const { begin } of running) begin?.();
    this.#loop.request();
    await this.#loop.awaitAttempt(config.serverReuseport ? 'succeeded' : 'ended');
    for (const { warmUp } of running) await warmUp?.(this.serving.state.snapshot());
  }

  get logger(): Logger {
    return this.serving.logger;
  }

  get config(): AppConfig {
    return this.serving.state.config;
  }

  /** Whether the service has neither failed nor stopped. */
  get isRunning(): boolean {
    return !this.#hasEnded;
  }

  /** Resolves when the new cache is in use, or with the reason for the failure, after which retries follow. */
  async reloadSchemaCache(): Promise<Result<void, string>> {
    const hasSucceeded = await this.#loop.requestAttempt();
    if (hasSucceeded === true) return ok(undefined);
    const { failure } = this.#loader;
    return fail(failure === undefined ? 'The service has ended' : this.logger.printError(failure));
  }

  async reloadConfig(): Promise<void> {
    await this.#configReloader.reload();
  }

  /** Call when a handler without `authenticate` is mounted, so that tokens identify the client. */
  takeTokens(): void {
    if (this.#takesTokens) return;
    this.#takesTokens = true;
    this.#loader.logSetupProblems();
  }

  /** Logs the reason and calls `onFatal`. */
  end(reason: Observation): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#loop.stop();
    this.logger.observe(reason);
    this.#onFatal(this.logger.describe(reason));
  }

  /** Call when no request is in progress. */
  async stop(): Promise<void> {
    this.#hasEnded = true;
    this.#loop.stop();
    this.#internal.abandon();
    await waitAtMost(CLOSE_TIMEOUT_MS, Promise.all([this.#listener.close(), this.serving.close()]));
  }

  #createLoop(): LoadLoop {
    return new LoadLoop({
      attempt: (isRetry) => this.#loader.attempt(isRetry),
      onWaiting: (seconds) => {
        this.#observe({ kind: 'reconnecting', seconds });
        this.#workerChannel?.noticeWaiting(seconds);
      },
      isAvailable: async () =>
        this.#loader.isDatabaseUnreachable && checkAnswering(this.serving.connection, PROBE_TIMEOUT_MS),
    });
  }

  #createListener(): ListenerKeeper {
    return new ListenerKeeper({
      open: (options) => openListener({ ...options, connection: this.serving.connection }),
      observe: this.#observe,
      onSchemaNotified: () => this.#loop.request(),
      onConfigNotified: () => void this.#configReloader.reload(),
      onConnected: () => {
        if (this.#loader.mayBeOutdated) this.#loop.request();
      },
      onFailed: (error) => this.#endIfFatal(error, true) || this.#endWithoutRecovery(),
    });
  }

  #createConfigReloader(readConfig: ReadConfig): ConfigReloader {
    return new ConfigReloader({
      provider: this.#internal,
      readConfig,
      current: () => this.config,
      observe: this.#observe,
      apply: (config, roles) => this.#applyConfig(config, roles),
      announce: () => {
        this.#warnOfRolePath();
        this.#observe({ kind: 'configReloaded' });
      },
    });
  }

  #createLoader(): CacheLoader {
    return new CacheLoader({
      state: this.serving.state,
      pool: this.serving.pool,
      provider: this.#internal,
      observe: this.#observe,
      reloadConfig: (isRetry) => this.#configReloader.reload(isRetry),
      takesTokens: () => this.#takesTokens,
      awaitListener: () => waitAtMost(LISTENER_TIMEOUT_MS, this.#listener.connect()),
      onLoaded: this.#onSchemaLoaded,
      findGaps: (session) => this.serving.findGaps(session),
      share: async (rows) => this.#workerChannel?.publishCatalog(rows),
      endIfFatal: (error) => this.#endIfFatal(error, true),
      end: (reason) => this.end(reason),
    });
  }

  async #applyConfig(config: AppConfig, roles: SettingsByRole): Promise<void> {
    this.logger.apply(config);
    this.serving.state.applyConfig(config, roles);
    this.#listener.apply(config);
    await this.#workerChannel?.configure(config, roles);
  }

  #warnOfRolePath(): void {
    const { config, rolePathReplacement: replacement } = this.serving.state;
    if (replacement === undefined) return;
    this.logger.observe({ kind: 'rolePathDeprecated', path: config.jwtRoleClaimKey, replacement });
  }

  /** Handles the failure of a request. */
  #noticeFailure(error: ApiError): void {
    if (!this.#endIfFatal(error, false) && isConnectionFailure(error)) this.noticeLoss();
  }

  /** Call when a request has found the database unreachable. */
  noticeLoss(): void {
    if (this.serving.state.cache !== undefined) this.#loop.noticeLoss();
  }

  /**
   * Requests a load when the database answers a request: the probe may get no connection if the request has the last
   * one.
   */
  noticeSuccess(): void {
    if (this.#loop.isPausing && this.#loader.isDatabaseUnreachable) this.#loop.request();
  }

  #noticeShortage(error: ApiError): void {
    if (!this.#endIfFatal(error, true)) this.#observe({ kind: 'connectionLimitReached', error });
  }

  #endIfFatal(error: ApiError, isInternal: boolean): boolean {
    const kind = findFatalError(error, isInternal);
    if (kind !== undefined) this.end({ kind, failure: this.logger.describeError(error) });
    return kind !== undefined;
  }

  #endWithoutRecovery(): boolean {
    if (this.config.dbPoolAutomaticRecovery) return false;
    // At startup, the first load may fail for the same reason with a more informative error.
    void this.#loop.awaitAttempt('ended').then(() => this.end({ kind: 'recoveryDisabled' }));
    return true;
  }
}
