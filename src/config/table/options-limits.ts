// Limits of the HTTP servers, for one client and for all clients together. PostgREST has none of them.
import { PROXY_LIST, RATE, RATE_KEY } from './checked-option-types.ts';
import type { OptionGroup } from './option.ts';
import { integer } from './option-types.ts';

/** At most one day. */
const TIMEOUT_SECONDS = integer(1, 86_400);
const MILLION = 1_000_000;

export type LimitOptions = OptionGroup<
  'serverBody' | 'serverHeaders' | 'serverKeepAlive' | 'serverMax' | 'serverRate' | 'serverSend' | 'serverTrusted'
>;

export const LIMIT_OPTIONS: LimitOptions = {
  serverBodyTimeout: {
    name: 'server-body-timeout',
    type: TIMEOUT_SECONDS,
    default: 60,
    doc: 'Seconds to receive a request body, plus one for each kilobyte; also the longest pause within it',
    isOwn: true,
  },
  serverHeadersTimeout: {
    name: 'server-headers-timeout',
    type: TIMEOUT_SECONDS,
    default: 60,
    doc: 'Seconds to receive the headers of the first request on a connection, or the rest of the headers of a later one',
    isFixed: true,
    isOwn: true,
  },
  serverKeepAliveTimeout: {
    name: 'server-keep-alive-timeout',
    type: TIMEOUT_SECONDS,
    default: 75,
    doc: 'Seconds to keep an idle connection open; must be longer than the keep-alive timeout of a proxy in front',
    isFixed: true,
    isOwn: true,
  },
  serverMaxBodySize: {
    name: 'server-max-body-size',
    type: integer(0),
    default: 1_073_741_824,
    doc: 'Maximum bytes of a request body held in memory; for streamed inserts, the limit applies to each row',
    isOwn: true,
  },
  serverMaxConnectionRequests: {
    name: 'server-max-connection-requests',
    type: integer(1, 1000),
    default: 1,
    doc: 'Maximum number of requests of one connection processed concurrently; further pipelined requests wait',
    isOwn: true,
  },
  serverMaxConnections: {
    name: 'server-max-connections',
    type: integer(1, MILLION),
    default: 10_000,
    doc: 'Maximum number of open client connections; further connections are closed immediately',
    isFixed: true,
    isOwn: true,
  },
  serverMaxHeaders: {
    name: 'server-max-headers',
    type: integer(1, 10_000),
    default: 200,
    doc: 'Maximum number of header fields in a request',
    isFixed: true,
    isOwn: true,
  },
  serverMaxJsonDepth: {
    name: 'server-max-json-depth',
    type: integer(0),
    default: 512,
    doc: 'Maximum nesting depth of arrays and objects in a request body',
    isOwn: true,
  },
  serverMaxRequests: {
    name: 'server-max-requests',
    type: integer(1, MILLION),
    default: 1000,
    doc: 'Maximum number of requests that hold or wait for a database connection; further requests are refused',
    isOwn: true,
  },
  serverMaxWait: {
    name: 'server-max-wait',
    type: integer(0, 3600),
    default: 1,
    doc: 'Maximum estimated wait for a database connection, in seconds; requests are refused beyond it, 0 disables the limit',
    isOwn: true,
  },
  serverRateLimit: {
    name: 'server-rate-limit',
    type: RATE,
    default: undefined,
    example: '50/s burst 100',
    doc: 'Requests that each client may send: a number per s, m or h, and how many at once; no limit when unset (extension rates)',
    isOwn: true,
  },
  serverRateLimitBy: {
    name: 'server-rate-limit-by',
    type: RATE_KEY,
    default: 'claim:$.sub',
    doc: 'What identifies a client for server-rate-limit: role, address, or claim:PATH; without the claim the role of the token, without a token the address',
    isOwn: true,
  },
  serverSendTimeout: {
    name: 'server-send-timeout',
    type: TIMEOUT_SECONDS,
    default: 60,
    doc: 'Seconds until a client is disconnected that reads nothing of its response, or less than 1 kB/s on average',
    isOwn: true,
  },
  serverTrustedProxies: {
    name: 'server-trusted-proxies',
    type: PROXY_LIST,
    default: [],
    example: '127.0.0.1, 10.0.0.0/8, unix',
    doc: 'Addresses, networks and unix for the Unix socket, whose X-Forwarded-For names the address that server-rate-limit counts by',
    isOwn: true,
  },
};
