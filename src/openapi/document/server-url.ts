// Determines the URL of the API for OpenAPI 3.1 from the address that the client used, as far as it is known.
import { firstHeader, type HttpRequest } from '../../contract/http.ts';

const ORIGIN = /^(https?):\/\/([^/?#]*)/u;
/** RFC 3986 §3.2.2, without escapes. Any other `Host` is omitted from the document. */
const HOST = /^(?:[a-z\d](?:[a-z\d_-]|\.(?!\.)){0,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/iu;

/**
 * @param proxyUri `openapi-server-proxy-uri`
 * @returns an absolute URL; if the request has no host, only the path, relative to the address of the document
 */
export function findServerUrl(request: Pick<HttpRequest, 'headers' | 'mount'>, proxyUri: string | undefined): string {
  if (proxyUri !== undefined) return proxyUri;
  const { headers, mount } = request;
  const path = mount?.basePath ?? '';
  const [, scheme = 'http', authority = ''] = ORIGIN.exec(mount?.origin ?? '') ?? [];
  const host = firstHeader(headers, 'host') ?? authority;
  return HOST.test(host) ? `${findScheme(headers) ?? scheme}://${host}${path}` : path || '/';
}

/** Trusts `X-Forwarded-Proto`, because a client that forges it affects only its own response. */
function findScheme(headers: HttpRequest['headers']): string | undefined {
  const [first = ''] = (firstHeader(headers, 'x-forwarded-proto') ?? '').split(',');
  const scheme = first.trim().toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : undefined;
}
