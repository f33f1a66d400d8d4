// The headers of a request that decide its answer, for caches (`writing.md` §18.3): on every answer that negotiation
// shaped.
import type { AppConfig } from '../config/table/app-config.ts';
import type { Dialect } from '../contract/dialect.ts';

export interface VaryContext {
  readonly dialect: Dialect;
  readonly config: Pick<AppConfig, 'dbSchemas' | 'serverCorsAllowedOrigins'>;
}

export function varyHeader({ dialect, config }: VaryContext): readonly ['Vary', string] {
  let names = 'Accept, Prefer, Range';
  if (dialect.isVaryComplete) {
    names += ', Authorization';
    if (config.dbSchemas.length > 1) names += ', Accept-Profile';
  }
  // Any origin gets the same `*`, be it asked for or not.
  if (config.serverCorsAllowedOrigins.length > 0) names += ', Origin';
  return ['Vary', names];
}
