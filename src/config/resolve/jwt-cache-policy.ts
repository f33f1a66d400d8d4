// Decides whether verified tokens are cached, for how long and how many (`operating.md` §3.7 item 2).
import type { AppConfig } from '../table/app-config.ts';

export interface JwtCachePolicy {
  readonly maxEntries: number;
  /** Seconds to cache tokens without `exp`; undefined: no limit. */
  readonly maxLifetime: number | undefined;
}

type JwtCacheOptions = Pick<AppConfig, 'jwtCacheMaxEntries' | 'jwtCacheMaxEntriesIsSet' | 'jwtCacheMaxLifetime'>;

/** Returns `undefined` if the cache is disabled. It is enabled if either option is set and neither is 0. */
export function resolveJwtCachePolicy(config: JwtCacheOptions): JwtCachePolicy | undefined {
  const { jwtCacheMaxEntries: maxEntries, jwtCacheMaxLifetime: maxLifetime } = config;
  const isRequested = config.jwtCacheMaxEntriesIsSet || maxLifetime !== undefined;
  const isOff = maxEntries <= 0 || (maxLifetime !== undefined && maxLifetime <= 0);
  return isRequested && !isOff ? { maxEntries, maxLifetime } : undefined;
}
