// Describes where the API is reached, in the form of Swagger 2.0 (`operating.md` §12.2).
import { parseUri } from '../../config/table/uri.ts';
import type { ServerAddress } from '../document/description-input.ts';

export interface SwaggerServer {
  /** Undefined if unknown, and for an IPv6 literal, which Swagger's `host` does not allow. */
  readonly host: string | undefined;
  readonly basePath: string;
  /** Undefined: the scheme by which the document was read. */
  readonly schemes: readonly string[] | undefined;
}

const ANY_ADDRESS: ReadonlySet<string> = new Set(['*', '*4', '!4', '*6', '!6']);
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

export function describeServer({ host, port, proxyUri, basePath }: ServerAddress): SwaggerServer {
  const proxy = proxyUri === undefined ? undefined : parseUri(proxyUri);
  if (proxy?.authority === undefined) {
    if (basePath !== undefined) return { host: undefined, basePath: basePath || '/', schemes: undefined };
    const shown = ANY_ADDRESS.has(host) ? '0.0.0.0' : host;
    return { host: joinHost(shown, String(port)), basePath: '/', schemes: ['http'] };
  }
  const scheme = proxy.scheme.toLowerCase();
  return {
    host: joinHost(proxy.authority.host, proxy.authority.port ?? DEFAULT_PORTS[scheme] ?? '80'),
    basePath: proxy.path === '' ? '/' : proxy.path,
    schemes: [scheme],
  };
}

function joinHost(host: string, port: string): string | undefined {
  return host.includes(':') ? undefined : `${host}:${port}`;
}
