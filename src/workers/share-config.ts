// Derives the configuration of a worker from that of the server: divides shared limits. Pure.
import type { AppConfig } from '../config/table/app-config.ts';

export interface Share {
  /** Index of the worker, from 0. */
  readonly index: number;
  /** Number of workers. */
  readonly count: number;
}

/** Each worker gets at least one of each, so many workers may exceed a small limit. */
export function shareConfig(config: AppConfig, share: Share): AppConfig {
  return {
    ...config,
    dbPool: shareOf(config.dbPool, share),
    serverMaxRequests: shareOf(config.serverMaxRequests, share),
    serverMaxConnections: shareOf(config.serverMaxConnections, share),
  };
}

/** The first workers get the remainder. */
function shareOf(total: number, { index, count }: Share): number {
  return Math.max(1, Math.floor(total / count) + (index < total % count ? 1 : 0));
}
