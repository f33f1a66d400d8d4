// The endpoint of agents: the requests that belong to it, and its description as a protected resource of OAuth, which names
// its URL and where to get tokens for it (RFC 9728 §3.1).
import type { AppConfig } from '../../../config/table/app-config.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../../../contract/http.ts';
import { findServerUrl } from '../../../openapi/document/server-url.ts';

export type AgentRoute = 'endpoint' | 'metadata';

const METADATA_PATH = '/.well-known/oauth-protected-resource';

export function findAgentRoute(
  { path, method, isOwnCall }: HttpRequest,
  endpoint: string,
  { jwtIssuer }: Pick<AppConfig, 'jwtIssuer'>,
): AgentRoute | undefined {
  if (isOwnCall === true) return undefined;
  // The general handler answers preflights.
  if (method === 'OPTIONS') return undefined;
  if (path === endpoint) return 'endpoint';
  const isMetadata = path === METADATA_PATH || path === METADATA_PATH + endpoint;
  return isMetadata && jwtIssuer !== undefined && (method === 'GET' || method === 'HEAD') ? 'metadata' : undefined;
}

type Addressed = Pick<HttpRequest, 'headers' | 'mount'>;
type ResourceConfig = Pick<AppConfig, 'jwtIssuer' | 'mcpPath' | 'openapiServerProxyUri' | 'serverAllowedHosts'>;

/** @returns the URL of the endpoint as the client knows it */
function findResource(request: Addressed, config: ResourceConfig): string {
  return findBase(request, config) + (config.mcpPath ?? '');
}

/**
 * Returns the audience that tokens must name if `jwt-aud` is not set. The client chooses the `Host` header, so it is used
 * only if hosts are restricted.
 */
export function findAudience(request: Addressed, config: ResourceConfig): string | undefined {
  const isKnown = config.openapiServerProxyUri !== undefined || config.serverAllowedHosts.length > 0;
  return isKnown ? findResource(request, config) : undefined;
}

export function buildMetadata(request: Addressed, config: ResourceConfig, isHead: boolean): HttpResponse {
  const document = {
    resource: findResource(request, config),
    authorization_servers: [config.jwtIssuer],
    bearer_methods_supported: ['header'],
  };
  const body = new TextEncoder().encode(JSON.stringify(document));
  return { status: 200, headers: [['Content-Type', 'application/json']], body: isHead ? undefined : body };
}

/** Adds the URL of the metadata, which names the issuer of tokens, to the challenge of a response. */
export function addResource(response: HttpResponse, request: Addressed, config: ResourceConfig): HttpResponse {
  if (config.jwtIssuer === undefined) return response;
  const url = `${findBase(request, config)}${METADATA_PATH}${config.mcpPath ?? ''}`;
  const headers: HeaderList = response.headers.map(([name, value]) =>
    name.toLowerCase() === 'www-authenticate'
      ? [name, `${value}${value.includes(' ') ? ',' : ''} resource_metadata="${url}"`]
      : [name, value],
  );
  return { ...response, headers };
}

function findBase(request: Addressed, { openapiServerProxyUri }: ResourceConfig): string {
  return findServerUrl(request, openapiServerProxyUri).replace(/\/+$/u, '');
}
