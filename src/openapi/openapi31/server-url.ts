// Where the API is reached, as OpenAPI 3.1 tells it: at the address that the reader has asked, as far as that can be known.
import { firstHeader, type HttpRequest } from '../../contract/http.ts';

const ORIGIN = /^(https?):\/\/([^/?#]*)/u;
/** RFC 3986 §3.2.2, without escapes: what else a client may send as `Host` is repeated to nobody. */
const HOST = /^(?:[a-z\d](?:[a-z\d_-]|\.(?!\.)){0,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/iu;

/**
 * @param proxyUri `openapi-server-proxy-uri`
 * @returns absolute; where the request names no host, the path alone, which is relative to the document's own address
 */
export function findServerUrl(request: Pick<HttpRequest, 'headers' | 'mount'>, proxyUri: string | undefined): string {
  if (proxyUri !== undefined) return proxyUri;
  const { headers, mount } = request;
  const path = mount?.basePath ?? '';
  const [, scheme = 'http', authority = ''] = ORIGIN.exec(mount?.origin ?? '') ?? [];
  const host = firstHeader(headers, 'host') ?? authority;
  return HOST.test(host) ? `${findScheme(headers) ?? scheme}://${host}${path}` : path || '/';
}

/** A proxy tells how it was asked. Somebody else who claims to know gets back what they have sent. */
function findScheme(headers: HttpRequest['headers']): string | undefined {
  const [first = ''] = (firstHeader(headers, 'x-forwarded-proto') ?? '').split(',');
  const scheme = first.trim().toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : undefined;
}
