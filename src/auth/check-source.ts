// Checks that the host a request was sent to, and the web page that sent it, are allowed. Runs before everything else:
// a page could use its reader's browser to reach servers that the page's own host cannot reach.
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import type { ApiError } from '../errors/api-error.ts';

/** @param allowedHosts names without ports, as in a URL: `[::1]`; if empty, every source is allowed */
export function checkSource({ headers }: HttpRequest, allowedHosts: readonly string[]): ApiError | undefined {
  if (allowedHosts.length === 0) return undefined;
  const host = firstHeader(headers, 'host') ?? '';
  if (!isHostAllowed(host, allowedHosts)) return refusal('Host', host);
  const origin = firstHeader(headers, 'origin');
  if (origin !== undefined)
    return isHostAllowed(origin.replace(/^https?:\/\//u, ''), allowedHosts) ? undefined : refusal('Origin', origin);
  // Browsers omit the origin when they load an image or a script, or follow a link.
  const site = firstHeader(headers, 'sec-fetch-site');
  return site === 'cross-site' ? refusal('Sec-Fetch-Site', site) : undefined;
}

/** @param authority `localhost:3000`; its port is not compared */
export function isHostAllowed(authority: string, allowedHosts: readonly string[]): boolean {
  const name = authority.replace(/:\d*$/u, '').toLowerCase();
  return allowedHosts.some((allowed) => allowed.toLowerCase() === name);
}

function refusal(header: string, value: string): ApiError {
  return { kind: 'sourceNotAllowed', header, value };
}
