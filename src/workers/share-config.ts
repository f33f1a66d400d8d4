// The configuration of a command → that of one of its workers: what all of them may take together is divided. Pure.
import type { AppConfig } from '../config/table/app-config.ts';

export interface Share {
  /** From 0. */
  readonly index: number;
  /** Workers. */
  readonly count: number;
}

/** Each gets one at least, so that more workers than there is to divide take more than that. */
export function shareConfig(config: AppConfig, share: Share): AppConfig {
  return {
    ...config,
    dbPool: shareOf(config.dbPool, share),
    serverMaxRequests: shareOf(config.serverMaxRequests, share),
    serverMaxConnections: shareOf(config.serverMaxConnections, share),
  };
}

/** The first ones get what is left over. */
function shareOf(total: number, { index, count }: Share): number {
  return Math.max(1, Math.floor(total / count) + (index < total % count ? 1 : 0));
}
