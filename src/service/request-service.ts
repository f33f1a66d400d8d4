// The part of the service that answers requests: current configuration and schema cache, pool, tokens and log. Does not
// load configuration or schema: that is done by `Service` in this process or in the primary process.
import type { AppConfig } from '../config/table/app-config.ts';
import { type Dialect, DIALECTS } from '../contract/dialect.ts';
import { PRODUCT } from '../contract/product.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Logger, LogOutput } from '../observe/logger.ts';
import type { ServiceCounters } from '../observe/service-metrics.ts';
import type { Observe } from '../observe/observation.ts';
import { query } from '../postgres/session/query.ts';
import type { Session } from '../postgres/session/session.ts';
import type { Pool, ScriptRunner } from '../postgres/pool/pool.ts';
import {
  applyRunning,
  onlyOf,
  type Running,
  type ScriptTarget,
  type ServiceEnvironment,
  type ServiceSeams,
} from '../serve/extension.ts';
import { AppState } from './app-state.ts';
import {
  type ConnectionOptions,
  createPool,
  createScriptRunner,
  openServer,
  type ServiceExtension,
} from './database/create-pool.ts';
import { createLogger } from './logging/create-logger.ts';
import { RequestHandler } from './request-handler.ts';
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
  readonly servesRequests: boolean;
  /** Whether this process logs what all processes find out, each for itself. */
  readonly reportsShared: boolean;
  /** Whether the explorer shows the SQL console. */
  readonly hasConsole?: boolean | undefined;
  readonly extensions: readonly ServiceExtension[];
  readonly observe: Observe;
}

export class RequestService {
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly connection: ConnectionOptions;
  readonly pool: Pool;
  readonly state: AppState;
  readonly requests: RequestHandler;
  /** By the name of the extension. */
  readonly running: ReadonlyMap<string, Running>;
  readonly #primary: ScriptRunner;
  readonly #verifier: JwtVerifier;

  constructor({
    config,
    environment,
    output,
    poolSize,
    retryAfter,
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
    this.#primary = createScriptRunner(config, this.pool, extensions);
    let isLogged = false;
    logger.followDebug((isDebug) => (isLogged = isDebug));
    this.#verifier = new JwtVerifier({
      now: () => Date.now() / 1000,
      onCacheEvent: (event) => {
        if (isLogged) logger.observe({ kind: event === 'lookup' ? 'tokenLookedUp' : 'tokenEvicted' });
      },
    });
    this.running = this.#start(config, { extensions, ...events });
    this.state = this.#createState(config, { retryAfter, hasConsole, extensions });
    const { onFailure, onServed } = events;
    this.requests = new RequestHandler({ state: this.state, logger, onFailure, onServed }, this.#apply());
  }

  get counters(): Pick<ServiceCounters, 'pool' | 'jwtCache' | 'extensions'> {
    return {
      pool: this.#primary.statistics,
      jwtCache: this.#verifier.cacheCounters,
      extensions: [...this.running.values()].flatMap((running) => running.metrics?.() ?? []),
    };
  }

  #createState(
    config: AppConfig,
    parts: Pick<RequestServiceOptions, 'retryAfter' | 'hasConsole' | 'extensions'>,
  ): AppState {
    const running = [...this.running.values()];
    const database: ScriptTarget = onlyOf(running, 'database') ?? this.#primary;
    return new AppState(config, {
      ...parts,
      extensions: [...parts.extensions, ...running],
      product: PRODUCT,
      dialect: this.dialect,
      pool: this.pool,
      database,
      verifier: this.#verifier,
      onReplaced: () => this.requests.apply(this.#apply()),
    });
  }

  #start(
    config: AppConfig,
    {
      extensions,
      askPrimary: ask,
      ...options
    }: Pick<RequestServiceOptions, 'extensions' | 'servesRequests' | 'reportsShared' | 'observe' | 'askPrimary'>,
  ): ReadonlyMap<string, Running> {
    const { dialect, connection, logger, pool } = this;
    const onShortage = (error: ApiError): void => options.observe({ kind: 'connectionLimitReached', error });
    const environment: Omit<ServiceEnvironment, 'askPrimary'> = {
      ...options,
      config,
      product: PRODUCT,
      dialect,
      connection,
      primary: this.#primary,
      openServer: (connectionString) =>
        openServer(config, { connection: { ...connection, connectionString }, logger, extensions, onShortage }),
      query: (text, parameters) => pool.use((session) => query(session, text, parameters)),
      snapshot: (request, signal) => this.state.snapshot(signal, request),
      awaitKeys: (request) => this.state.awaitKeys(request),
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

  /**
   * Number of requests that need no connection now: they wait for a stream permit before they request one, are answered
   * with events, or wait for rows that they will share.
   */
  get waitingForPermit(): number {
    const waiting = [...this.running.values()].map((running) => running.waiting?.() ?? 0);
    return waiting.reduce((sum, requests) => sum + requests, this.pool.waitingForPermit);
  }

  /** @param session has loaded the schema cache @returns in sentences what extensions miss in the database */
  async findGaps(session: Session): Promise<readonly string[]> {
    const gaps: string[] = [];
    for (const { findGaps } of this.running.values())
      gaps.push(...((await findGaps?.((...statement) => query(session, ...statement), this.state.config)) ?? []));
    return gaps;
  }

  /** Ends responses that would otherwise last until the deadline of the shutdown. */
  end(): void {
    for (const { end } of this.running.values()) end?.();
  }

  /** Resolves when every connection is closed. */
  async close(): Promise<void> {
    const closing = [...this.running.values()].map((running) => running.close?.());
    await Promise.all([...closing, this.pool.close()]);
  }
}
