// The host that a request was sent to, and the web page that sent it → whether they are among those that are allowed.
// Before anything else of its way: a page can have its reader's browser send what the network keeps from the page itself.
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';

/** @param allowedHosts names without ports, as in a URL: `[::1]`; without them no source is refused */
export function checkSource({ headers }: HttpRequest, allowedHosts: readonly string[]): ApiError | undefined {
  if (allowedHosts.length === 0) return undefined;
  const host = firstHeader(headers, 'host') ?? '';
  if (!isAllowed(host, allowedHosts)) return refusal('Host', host);
  const origin = firstHeader(headers, 'origin');
  if (origin !== undefined)
    return isAllowed(origin.replace(/^https?:\/\//u, ''), allowedHosts) ? undefined : refusal('Origin', origin);
  // Browsers name no origin where they load an image or a script, or follow a link.
  const site = firstHeader(headers, 'sec-fetch-site');
  return site === 'cross-site' ? refusal('Sec-Fetch-Site', site) : undefined;
}

/** @param authority `localhost:3000` */
function isAllowed(authority: string, allowedHosts: readonly string[]): boolean {
  const name = authority.replace(/:\d*$/u, '').toLowerCase();
  return allowedHosts.some((allowed) => allowed.toLowerCase() === name);
}

function refusal(header: string, value: string): ApiError {
  return { kind: 'sourceNotAllowed', header, value };
}
