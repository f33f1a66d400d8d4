// Renders `Vary`: the request headers that affect the response, for caches (`writing.md` §18.3). Sent with every
// negotiated response.
import type { AppConfig } from '../config/table/app-config.ts';
import type { Dialect } from '../contract/dialect.ts';

export interface VaryContext {
  readonly dialect: Dialect;
  readonly config: Pick<AppConfig, 'dbSchemas' | 'extensions' | 'jwtCookie' | 'serverCorsAllowedOrigins'>;
}

/** By configuration, which also determines the dialect. */
const KNOWN: WeakMap<VaryContext['config'], VaryHeader> = new WeakMap();

type VaryHeader = readonly ['Vary', string];

export function varyHeader(context: VaryContext): VaryHeader {
  let header = KNOWN.get(context.config);
  if (header === undefined) KNOWN.set(context.config, (header = renderVary(context)));
  return header;
}

function renderVary({ dialect, config }: VaryContext): VaryHeader {
  let names = 'Accept, Prefer, Range';
  if (dialect.isVaryComplete) {
    names += ', Authorization';
    if (config.dbSchemas.length > 1) names += ', Accept-Profile';
  }
  if (config.jwtCookie !== undefined && config.extensions.cookie) names += ', Cookie';
  // If any origin is allowed, the CORS header is always `*`.
  if (config.serverCorsAllowedOrigins.length > 0) names += ', Origin';
  return ['Vary', names];
}
