// Options for the HTTP servers and their responses (`operating.md` §1.5).
import { enumeration, SOCKET_MODE, WORKERS } from './checked-option-types.ts';
import type { OptionGroup } from './option.ts';
import { LIMIT_OPTIONS, type LimitOptions } from './options-limits.ts';
import { BOOLEAN, LIST, PATH, PORT, SECONDS, STRING } from './option-types.ts';

const ADMIN_OPTIONS: OptionGroup<'admin'> = {
  adminServerHost: {
    name: 'admin-server-host',
    type: STRING,
    default: '!4',
    follows: 'serverHost',
    doc: 'Host of the admin server; server-host when unset',
    isFixed: true,
  },
  adminServerPort: {
    name: 'admin-server-port',
    type: PORT,
    default: undefined,
    example: '3001',
    doc: 'Port of the admin server, which is disabled unless a port or socket is set',
    isFixed: true,
  },
  adminServerUnixSocket: {
    name: 'admin-server-unix-socket',
    type: PATH,
    default: undefined,
    example: '/run/api/admin.sock',
    doc: 'Unix socket of the admin server; overrides its port',
    isFixed: true,
  },
  adminServerUnixSocketMode: {
    name: 'admin-server-unix-socket-mode',
    type: SOCKET_MODE,
    default: 0o660,
    doc: 'File mode of the Unix socket of the admin server, octal, 600 to 777',
    isFixed: true,
  },
};

const API_SERVER_OPTIONS: Omit<OptionGroup<'server'>, keyof LimitOptions> = {
  serverAllowedHosts: {
    name: 'server-allowed-hosts',
    type: LIST,
    default: [],
    example: 'localhost, 127.0.0.1, [::1]',
    doc: 'Hosts, without ports, accepted in the Host and Origin headers of API and admin requests; any when unset',
    isOwn: true,
  },
  serverCorsAllowedOrigins: {
    name: 'server-cors-allowed-origins',
    type: LIST,
    default: [],
    example: 'https://app.example.com, https://admin.example.com',
    doc: 'Origins from which browsers may send requests; any when unset',
    isInDatabase: true,
  },
  serverExplorer: {
    name: 'server-explorer',
    type: BOOLEAN,
    default: false,
    doc: 'Serves the explorer at / to browsers, a page to browse tables and try requests',
    isOwn: true,
  },
  serverEtags: {
    name: 'server-etags',
    type: BOOLEAN,
    default: false,
    doc: 'Adds entity tags to responses and answers If-None-Match (extension etag)',
    isOwn: true,
  },
  serverHost: {
    name: 'server-host',
    type: STRING,
    default: '!4',
    doc: 'Address or host name to bind; * is any, *4 and *6 prefer a family, !4 and !6 allow only that family',
    isFixed: true,
  },
  serverPort: {
    name: 'server-port',
    type: PORT,
    default: 3000,
    doc: 'Port of the API; 0 selects a free port',
    isFixed: true,
  },
  serverReuseport: {
    name: 'server-reuseport',
    type: BOOLEAN,
    default: false,
    doc: 'Lets several processes share the host and port of the API',
    isFixed: true,
  },
  serverShutdownGrace: {
    name: 'server-shutdown-grace',
    type: SECONDS,
    default: 60,
    doc: 'Seconds that requests in flight may take to finish after a termination signal',
    isOwn: true,
  },
  serverTimingEnabled: {
    name: 'server-timing-enabled',
    type: BOOLEAN,
    default: false,
    doc: 'Adds the Server-Timing header to responses',
    isInDatabase: true,
  },
  serverTraceHeader: {
    name: 'server-trace-header',
    type: STRING,
    default: undefined,
    example: 'X-Request-Id',
    doc: 'Request header to copy to the response',
    isInDatabase: true,
  },
  serverUnixSocket: {
    name: 'server-unix-socket',
    type: PATH,
    default: undefined,
    example: '/run/api/api.sock',
    doc: 'Unix socket of the API; overrides host and port',
    isFixed: true,
  },
  serverUnixSocketMode: {
    name: 'server-unix-socket-mode',
    type: SOCKET_MODE,
    default: 0o660,
    doc: 'File mode of the Unix socket of the API, octal, 600 to 777',
    isFixed: true,
  },
  serverWorkers: {
    name: 'server-workers',
    type: WORKERS,
    default: 'auto',
    doc: 'Number of processes that serve requests; auto for half of the cores, and at most a third of db-pool. They share db-pool, server-max-connections and server-max-requests',
    isFixed: true,
    isOwn: true,
  },
};

export const SERVER_OPTIONS: OptionGroup<'admin' | 'server' | 'client'> = {
  ...ADMIN_OPTIONS,
  ...API_SERVER_OPTIONS,
  ...LIMIT_OPTIONS,
  clientErrorVerbosity: {
    name: 'client-error-verbosity',
    type: enumeration(['verbose', 'minimal'], 'Invalid client-error-verbosity. Check your configuration.'),
    default: 'verbose',
    doc: 'Whether error responses include details and hint: verbose, or minimal without them',
    isInDatabase: true,
  },
};
