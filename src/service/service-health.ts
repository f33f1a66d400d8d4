// Reports on a running service: whether it is ready, its status for `/status`, its counters and its schema cache.
import { renderSchemaCacheDump } from '../catalog/dump.ts';
import { summarizeSchemaCache } from '../catalog/summary.ts';
import { listShownOptions } from './configuration/shown-options.ts';
import type { ServiceCounters } from '../observe/service-metrics.ts';
import type { StatusFacts } from '../observe/status.ts';
import { query } from '../postgres/session/query.ts';
import type { InternalQueries } from './database/internal-queries.ts';
import type { RequestService } from './request-service.ts';
import type { CacheLoader } from './schema-cache/cache-loader.ts';
import type { LoadLoop } from './schema-cache/load-loop.ts';
import { describeListening, describeLoad, describeUnreachable } from './supervision/describe-problem.ts';
import type { ListenerKeeper } from './supervision/listener-keeper.ts';

export interface HealthSources {
  readonly serving: RequestService;
  readonly loader: CacheLoader;
  readonly loop: LoadLoop;
  readonly listener: ListenerKeeper;
  readonly internal: InternalQueries;
}

export class ServiceHealth {
  readonly #sources: HealthSources;

  constructor(sources: HealthSources) {
    this.#sources = sources;
  }

  /**
   * Returns the reasons why the service is not ready, as sentences; none if the last load succeeded and the database can be
   * reached (`operating.md` §8 item 4).
   */
  async findProblems(): Promise<readonly string[]> {
    const { serving, loader, loop, listener, internal } = this.#sources;
    const { logger, state } = serving;
    if (!loop.hasSucceeded) return [describeLoad(loader.failure && logger.describeError(loader.failure))];
    const { dbChannel, dbChannelEnabled } = state.config;
    if (dbChannelEnabled) return listener.isListening ? [] : [describeListening(dbChannel, listener.failure)];
    const probe = await internal.use((session) => query(session, 'SELECT 1'));
    return probe.ok ? [] : [describeUnreachable(logger.describeError(probe.error))];
  }

  /** Returns the service's part of `/status`; its HTTP servers add readiness and their own facts. */
  get status(): Pick<StatusFacts, 'dialect' | 'summary' | 'loadedAt' | 'listener' | 'configuration'> & {
    readonly databaseVersion: string | undefined;
  } {
    const { serving, loader, listener } = this.#sources;
    const { config, cache } = serving.state;
    const state = config.dbChannelEnabled ? (listener.isListening ? 'listening' : 'lost') : 'off';
    return {
      dialect: config.dialect,
      databaseVersion: loader.databaseVersion,
      summary: cache && summarizeSchemaCache(cache),
      loadedAt: loader.counters.loadedAt,
      listener: { state, channel: config.dbChannel },
      configuration: listShownOptions(config),
    };
  }

  get counters(): ServiceCounters {
    const { queryTime, succeeded, failed } = this.#sources.loader.counters;
    return { cacheQueryTime: queryTime, cacheLoads: { succeeded, failed }, ...this.#sources.serving.counters };
  }

  /** Returns `undefined` before the first successful load. */
  dumpSchemaCache(): string | undefined {
    const { cache } = this.#sources.serving.state;
    return cache && renderSchemaCacheDump(cache);
  }
}
