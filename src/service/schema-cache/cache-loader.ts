// Makes one attempt to connect to the database and load the schema cache: version, configuration, catalogs
// (`operating.md` §6.5). Reports the result and counts attempts.
import { summarizeSchemaCache } from '../../catalog/summary.ts';
import { type ApiError, isConnectionFailure } from '../../errors/api-error.ts';
import type { Observation } from '../../observe/observation.ts';
import type { Pool } from '../../postgres/pool/pool.ts';
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import type { SessionProvider } from '../database/internal-queries.ts';
import { findRemedy } from '../database/find-remedy.ts';
import { waitAtMost } from '../scheduling/waiting.ts';
import type { ReceivedCatalog } from './serialized-catalog.ts';
import { loadSchemaCache } from './load-schema-cache.ts';
import type { FindGaps, SetupFacts } from './setup-facts.ts';
import { findSetupProblems } from './setup-problems.ts';
import { ok, type Result } from '../../contract/result.ts';
import { query } from '../../postgres/session/query.ts';

export interface CacheLoaderOptions {
  readonly state: {
    readonly config: AppConfig;
    readonly cache: SchemaCache | undefined;
    applyCache(cache: SchemaCache): void;
  };
  readonly pool: Pool;
  readonly provider: SessionProvider;
  readonly observe: (observation: Observation) => void;
  /** @param isRetry as in `attempt` */
  readonly reloadConfig: (isRetry: boolean) => Promise<void>;
  /**
   * Connects the listener unless it is connected; resolves when that has succeeded or failed. Later schema changes are
   * then noticed, if possible.
   */
  readonly awaitListener: () => Promise<void>;
  /** @param startedAt milliseconds since the epoch; the cache may lack later schema changes */
  readonly onLoaded: (startedAt: number) => void;
  readonly findGaps: FindGaps;
  /** Whether requests are authenticated by tokens; otherwise the host application authenticates them. */
  readonly takesTokens: () => boolean;
  /** Resolves when all other processes that use the catalog have it. */
  readonly share: (rows: ReceivedCatalog) => Promise<void>;
  /** Ends the process if retries cannot succeed. */
  readonly endIfFatal: (error: ApiError) => boolean;
  readonly end: (reason: Observation) => void;
}

export interface LoadCounters {
  readonly succeeded: number;
  readonly failed: number;
  /** Seconds taken by the last successful load. */
  readonly queryTime: number;
  /** End of the last successful load in milliseconds since the epoch, if any. */
  readonly loadedAt: number | undefined;
}

/** How long the new cache waits for new connections. */
const RENEWAL_TIMEOUT_MS = 1000;

export class CacheLoader {
  readonly #options: CacheLoaderOptions;
  #counters: LoadCounters = { succeeded: 0, failed: 0, queryTime: 0, loadedAt: undefined };
  #databaseVersion: string | undefined;
  #hasStarted = false;
  /** Whether the current attempt has yet to read the catalogs. */
  #isBeforeLoad = false;
  #isReached = false;
  #isDatabaseUnreachable = false;
  #hasReached = false;
  /** The last reported failure, serialized. */
  #cause: string | undefined;
  #problems: readonly string[] = [];
  #facts: SetupFacts | undefined;
  #failure: ApiError | undefined;

  constructor(options: CacheLoaderOptions) {
    this.#options = options;
  }

  get counters(): LoadCounters {
    return this.#counters;
  }

  /** Last known version, such as `18.4`. */
  get databaseVersion(): string | undefined {
    return this.#databaseVersion;
  }

  /** Whether catalogs have been read, may have changed since, and are not about to be read again. */
  get mayBeOutdated(): boolean {
    return this.#hasStarted && !this.#isBeforeLoad;
  }

  /** Whether the last attempt failed because the database was unavailable rather than because of a statement. */
  get isDatabaseUnreachable(): boolean {
    return this.#isDatabaseUnreachable;
  }

  /** Why the last attempt failed. */
  get failure(): ApiError | undefined {
    return this.#failure;
  }

  /**
   * Returns whether everything succeeded.
   * @param isRetry whether the attempt is automatic; it then reports a failure only if it differs from the last one
   */
  async attempt(isRetry: boolean): Promise<boolean> {
    if (!isRetry) this.#cause = undefined;
    this.#isBeforeLoad = true;
    const isPrepared = await this.#prepare(isRetry);
    this.#isBeforeLoad = false;
    return isPrepared && this.#load();
  }

  async #prepare(isRetry: boolean): Promise<boolean> {
    const { state, reloadConfig, awaitListener } = this.#options;
    if (!(await this.#reachDatabase())) return false;
    if (state.config.dbConfig) await reloadConfig(isRetry);
    await awaitListener();
    return true;
  }

  async #reachDatabase(): Promise<boolean> {
    const { state, provider, end, endIfFatal } = this.#options;
    const version = await queryDatabaseVersion(provider);
    this.#isDatabaseUnreachable = !version.ok && isUnavailable(version.error);
    this.#failure = version.ok ? undefined : version.error;
    if (!version.ok) {
      this.#isReached = false;
      if (endIfFatal(version.error)) return false;
      this.#reportFailure({ kind: 'versionQueryFailed', error: version.error });
      if (!state.config.dbPoolAutomaticRecovery && isConnectionFailure(version.error))
        end({ kind: 'recoveryDisabled' });
      return false;
    }
    const { number, text, isSupported } = version.value;
    this.#databaseVersion = number;
    if (!isSupported) end({ kind: 'versionTooOld', version: number, minimum: MINIMUM_VERSION });
    else if (!this.#isReached) this.#announce(text);
    return isSupported;
  }

  /** Logs a failure once until its cause changes. */
  #reportFailure(failure: Extract<Observation, { kind: 'versionQueryFailed' | 'cacheFailed' }>): void {
    const { observe } = this.#options;
    const cause = JSON.stringify(failure);
    if (cause === this.#cause) return;
    this.#cause = cause;
    observe(failure);
    const remedy = findRemedy(failure.error);
    if (remedy !== undefined) observe({ kind: 'operatorActionNeeded', remedy });
  }

  /** Logs setup problems that prevent some or all requests from being served, except those already logged. */
  logSetupProblems(): void {
    const { state, observe, takesTokens } = this.#options;
    if (state.cache === undefined) return;
    const problems = findSetupProblems({ ...state.config, takesTokens: takesTokens() }, state.cache, this.#facts);
    for (const text of problems) if (!this.#problems.includes(text)) observe({ kind: 'setupIncomplete', text });
    this.#problems = problems;
  }

  #announce(version: string): void {
    const { state, observe } = this.#options;
    observe({ kind: 'databaseReached', version });
    if (!this.#hasReached) observe({ kind: 'poolInitialized', size: state.config.dbPool });
    this.#isReached = true;
    this.#hasReached = true;
  }

  async #load(): Promise<boolean> {
    const { state, pool, provider, observe, endIfFatal, onLoaded, share, findGaps } = this.#options;
    const { config } = state;
    const startedAt = Date.now();
    this.#hasStarted = true;
    const loaded = await loadSchemaCache(provider, config, findGaps);
    if (!loaded.ok) {
      this.#isDatabaseUnreachable = isUnavailable(loaded.error);
      this.#failure = loaded.error;
      this.#counters = { ...this.#counters, failed: this.#counters.failed + 1 };
      const { dbSchemas: schemas, dbExtraSearchPath: extraSearchPath } = config;
      this.#reportFailure({ kind: 'cacheFailed', schemas, extraSearchPath, error: loaded.error });
      endIfFatal(loaded.error);
      return false;
    }
    const { cache, rows, setup, queryTime, statementTimes, buildTime } = loaded.value;
    if (state.cache !== undefined) await waitAtMost(RENEWAL_TIMEOUT_MS, pool.renew());
    state.applyCache(cache);
    await share(rows);
    onLoaded(startedAt);
    pool.flush();
    const { succeeded, failed } = this.#counters;
    this.#counters = { succeeded: succeeded + 1, failed, queryTime: queryTime / 1000, loadedAt: Date.now() };
    observe({ kind: 'cacheQueried', milliseconds: queryTime });
    observe({ kind: 'cacheStatementsTimed', milliseconds: statementTimes });
    observe({ kind: 'cacheLoaded', summary: summarizeSchemaCache(cache), milliseconds: buildTime });
    this.#facts = setup;
    this.logSetupProblems();
    return true;
  }
}

/** SQLSTATE class of a server that shuts down or is not ready yet. */
const OPERATOR_INTERVENTION = '57P';

function isUnavailable(error: ApiError): boolean {
  if (error.kind === 'database') return error.report.sqlstate.startsWith(OPERATOR_INTERVENTION);
  return isConnectionFailure(error) || error.kind === 'poolTimeout';
}

interface DatabaseVersion {
  /** `15.4` */
  readonly number: string;
  /** Result of `version()`. */
  readonly text: string;
  readonly isSupported: boolean;
}

const MINIMUM_VERSION = '14.0';
/** Same format as `server_version_num`. */
const MINIMUM_VERSION_NUMBER = 140_000;

const VERSION_QUERY = `SELECT pg_catalog.current_setting('server_version_num'), pg_catalog.version()`;

async function queryDatabaseVersion(provider: SessionProvider): Promise<Result<DatabaseVersion, ApiError>> {
  const rows = await provider.use((session) => query(session, VERSION_QUERY));
  if (!rows.ok) return rows;
  const [number, text] = rows.value[0] ?? [];
  const version = Number(number);
  return ok({
    number: `${Math.floor(version / 10_000)}.${version % 10_000}`,
    text: text ?? '',
    isSupported: version >= MINIMUM_VERSION_NUMBER,
  });
}
