// The limits of an HTTP server: their values and the errors for clients that exceed them.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { HttpRequest } from '../../contract/http.ts';
import { MAX_QUERY_SIZE, mayBeLongQuery, queryTooLong } from '../../request/long-query.ts';
import { bodyTooSlow } from '../../request/payload/payload-errors.ts';

export type HttpLimits = Pick<
  AppConfig,
  | 'dbPool'
  | 'extensions'
  | 'mcpPath'
  | 'serverBodyTimeout'
  | 'serverHeadersTimeout'
  | 'serverKeepAliveTimeout'
  | 'serverMaxBodySize'
  | 'serverMaxConnectionRequests'
  | 'serverMaxConnections'
  | 'serverMaxHeaders'
  | 'serverMaxRequests'
  | 'serverMaxWait'
  | 'serverSendTimeout'
  | 'urlMaxLength'
>;

/** Holds the limits; a reload of the configuration replaces them. */
export interface CurrentLimits {
  readonly config: HttpLimits;
}

/** Limits reported to the client, named by the option that sets them, if any. */
export type ReportedLimit =
  | 'server-body-timeout'
  | 'server-headers-timeout'
  | 'server-max-body-size'
  | 'server-max-headers'
  | 'server-max-requests'
  | 'server-max-wait'
  | 'unsent-bytes'
  | 'url-max-length';

/** If another limit is exceeded, the connection is closed without a response. */
export type LimitName =
  | ReportedLimit
  | 'server-max-connection-requests'
  | 'server-max-connections'
  | 'server-rate-limit'
  | 'server-send-timeout';

/** Bytes of a request of an agent, which the SDK parses in one go. */
const MAX_AGENT_SIZE = 262_144;

/** Bytes of headers in addition to the URL. */
const HEADER_BYTES = 65_536;

/** Returns the maximum size of URL and headers in bytes. */
export function maxHeadSize({ urlMaxLength }: HttpLimits): number {
  return urlMaxLength + HEADER_BYTES;
}

/** @returns bytes that a body may have if it is read whole */
export function maxBodySize(request: HttpRequest, { serverMaxBodySize, extensions, mcpPath }: HttpLimits): number {
  if (request.path === mcpPath) return Math.min(serverMaxBodySize, MAX_AGENT_SIZE);
  return mayBeLongQuery(request, extensions) ? Math.min(serverMaxBodySize, MAX_QUERY_SIZE) : serverMaxBodySize;
}

export function bodyTooLarge(request: HttpRequest, limits: HttpLimits): ApiError {
  const size = maxBodySize(request, limits);
  if (size === limits.serverMaxBodySize) return beyondLimit('server-max-body-size', limits);
  return request.path === limits.mcpPath
    ? { kind: 'limitExceeded', limit: `Requests of agents have up to ${size} bytes`, status: 413 }
    : queryTooLong(size);
}

export function beyondLimit(name: ReportedLimit, limits: HttpLimits): ApiError {
  switch (name) {
    case 'server-max-body-size':
      return refusal(413, name, `Request bodies have up to ${limits.serverMaxBodySize} bytes`);
    case 'server-body-timeout':
      return bodyTooSlow(limits.serverBodyTimeout);
    case 'server-headers-timeout':
      return refusal(408, name, `Request heads arrive within ${limits.serverHeadersTimeout} seconds`);
    case 'server-max-headers':
      return refusal(431, name, `Requests have up to ${limits.serverMaxHeaders} header fields`);
    case 'url-max-length':
      return refusal(431, name, `URL and headers have up to ${maxHeadSize(limits)} bytes`);
    case 'server-max-requests':
      return overload(name, `The server handles up to ${limits.serverMaxRequests} requests at a time`);
    case 'server-max-wait':
      return overload(name, `Requests would wait longer than ${limits.serverMaxWait} s for the database`);
    case 'unsent-bytes':
      return overload(undefined, 'Responses that clients have not read yet fill the memory for responses');
  }
}

function refusal(status: 408 | 413 | 431, option: ReportedLimit, limit: string): ApiError {
  return { kind: 'limitExceeded', limit, option, status };
}

function overload(option: ReportedLimit | undefined, details: string): ApiError {
  return { kind: 'overloaded', details, option };
}
