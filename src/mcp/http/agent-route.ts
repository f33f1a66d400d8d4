// Finds the requests that belong to the endpoint of agents: the endpoint itself, and the document that names the issuer
// of its tokens (RFC 9728 §3.1).
import type { AppConfig } from '../../config/table/app-config.ts';
import type { HttpRequest } from '../../contract/http.ts';

export type AgentRoute = 'endpoint' | 'metadata';

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

type RouteConfig = Pick<AppConfig, 'extensions' | 'jwtIssuer' | 'mcpPath'>;

export function findAgentRoute(
  request: HttpRequest,
  { mcpPath, extensions, jwtIssuer }: RouteConfig,
): AgentRoute | undefined {
  if (mcpPath === undefined || request.isToolCall === true || !extensions.includes('mcp')) return undefined;
  const { path, method } = request;
  // The general handler answers preflights.
  if (method === 'OPTIONS') return undefined;
  if (path === mcpPath) return 'endpoint';
  const isMetadata = path === METADATA_PATH || path === METADATA_PATH + mcpPath;
  return isMetadata && jwtIssuer !== undefined && (method === 'GET' || method === 'HEAD') ? 'metadata' : undefined;
}
