// The service of a worker: answers requests from the configuration and catalog that the primary process sends, and
// reports problems to it. Reads no configuration or schema itself.
import { buildSchemaCacheInSlices } from '../catalog/decode.ts';
import type { AppConfig } from '../config/table/app-config.ts';
import type { SettingsByRole } from '../config/resolve/role-settings.ts';
import { runSlicesWithPauses } from '../util/slices.ts';
import { type ApiError, isConnectionFailure } from '../errors/api-error.ts';
import type { Logger, LogOutput } from '../observe/logger.ts';
import type { Observation } from '../observe/observation.ts';
import { query } from '../postgres/session/query.ts';
import type { ServiceExtension } from '../service/database/create-pool.ts';
import { RequestService } from '../service/request-service.ts';
import { createPause, waitAtMost } from '../service/scheduling/waiting.ts';
import { type SerializedCatalog, unpackCatalog } from '../service/schema-cache/serialized-catalog.ts';
import { describeUnreachable } from '../service/supervision/describe-problem.ts';
import { type FatalError, findFatalError } from '../service/supervision/find-fatal-error.ts';

export interface WorkerServiceOptions {
  /** Already reduced to this worker's share. */
  readonly config: AppConfig;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: LogOutput;
  readonly extensions: readonly ServiceExtension[];
  /** Whether to log what all workers find out, each for itself. */
  readonly reportsShared: boolean;
  /** Asks an extension in the primary process. @returns undefined if the primary has ended */
  readonly askPrimary: (extension: string, question: unknown) => Promise<unknown>;
  /** Called when a request has found the database unreachable. */
  readonly onLoss: () => void;
  /** Called when the database has answered a request while the primary waits to retry. */
  readonly onRecovered: () => void;
  /** Called for an error that no retry can fix. */
  readonly onFatal: (reason: Extract<Observation, { kind: FatalError }>) => void;
}

/** How long a new schema cache waits for new connections. */
const RENEWAL_TIMEOUT_MS = 1000;
/** How long shutdown waits for database connections to close. */
const CLOSE_TIMEOUT_MS = 1000;

export class WorkerService {
  readonly serving: RequestService;
  readonly #options: WorkerServiceOptions;
  /**
   * When the primary retries to reach the database, in milliseconds since the epoch; 0 or past if it is not waiting.
   */
  #retryAt = 0;

  constructor(options: WorkerServiceOptions) {
    const { config, environment, output, extensions, reportsShared } = options;
    this.#options = options;
    this.serving = new RequestService({
      config,
      environment,
      output,
      extensions,
      retryAfter: () => Math.max(0, Math.ceil((this.#retryAt - Date.now()) / 1000)),
      askPrimary: options.askPrimary,
      onShortage: (error) => this.#noticeShortage(error),
      onFailure: (error) => this.#noticeFailure(error),
      onServed: () => {
        if (Date.now() < this.#retryAt) options.onRecovered();
      },
      servesRequests: true,
      reportsShared,
      observe: (observation) => this.logger.observe(observation),
    });
    for (const { begin } of this.serving.running.values()) begin?.();
  }

  get logger(): Logger {
    return this.serving.logger;
  }

  get config(): AppConfig {
    return this.serving.state.config;
  }

  /** Returns why the worker cannot answer requests, in sentences. The primary itself checks the listener. */
  async findProblems(): Promise<readonly string[]> {
    if (this.config.dbChannelEnabled) return [];
    const probe = await this.serving.pool.use((session) => query(session, 'SELECT 1'));
    return probe.ok ? [] : [describeUnreachable(this.logger.describeError(probe.error))];
  }

  /** @param config already reduced to this worker's share */
  configure(config: AppConfig, roles: SettingsByRole): void {
    this.logger.apply(config);
    this.serving.state.applyConfig(config, roles);
  }

  /** Resolves when requests are answered from this catalog. */
  async publishCatalog(serialized: SerializedCatalog): Promise<void> {
    const { state, pool } = this.serving;
    const rows = await unpackCatalog(serialized, createPause());
    const cache = await runSlicesWithPauses(buildSchemaCacheInSlices(rows), createPause());
    if (state.cache !== undefined) await waitAtMost(RENEWAL_TIMEOUT_MS, pool.renew());
    state.applyCache(cache);
    pool.flush();
    this.#retryAt = 0;
  }

  /** @param retryAt milliseconds since the epoch */
  waitUntil(retryAt: number): void {
    this.#retryAt = retryAt;
  }

  /** Call when no request is in progress. */
  async stop(): Promise<void> {
    await waitAtMost(CLOSE_TIMEOUT_MS, this.serving.close());
  }

  #noticeShortage(error: ApiError): void {
    if (!this.#endIfFatal(error, true)) this.logger.observe({ kind: 'connectionLimitReached', error });
  }

  #noticeFailure(error: ApiError): void {
    if (!this.#endIfFatal(error, false) && isConnectionFailure(error)) this.#options.onLoss();
  }

  #endIfFatal(error: ApiError, isInternal: boolean): boolean {
    const kind = findFatalError(error, isInternal);
    if (kind !== undefined) this.#options.onFatal({ kind, failure: this.logger.describeError(error) });
    return kind !== undefined;
  }
}
