// The effective configuration as the server uses it: every option of `operating.md` §1.5 with its type.
import type { DialectName } from '../../contract/dialect.ts';
import type { EnabledExtensions } from '../../contract/extensions.ts';
import type { RateKey, RateLimit } from '../../contract/rate-limit.ts';

export type LogLevel = 'crit' | 'error' | 'warn' | 'info' | 'debug';
export type LogFormat = 'text' | 'json';
export type TransactionEnd = 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override';
export type OpenApiMode = 'follow-privileges' | 'ignore-privileges' | 'disabled';
export type OpenApiVersion = '2.0' | '3.1' | '3.2';

/** `schema.function`, split at the first dot; without a schema, the search path applies. */
export interface FunctionReference {
  readonly schema: string | undefined;
  readonly name: string;
}

export interface AppConfig {
  readonly adminServerHost: string;
  readonly adminServerPort: number | undefined;
  readonly adminServerUnixSocket: string | undefined;
  readonly adminServerUnixSocketMode: number;
  /** Pairs of key, without the `app.settings.` prefix, and value. */
  readonly appSettings: readonly (readonly [name: string, value: string])[];
  /** Further headers of a request in a batch, in lower case. */
  readonly batchHeaders: readonly string[];
  readonly batchMaxRequests: number;
  /** Bytes. */
  readonly batchMaxResponse: number;
  readonly clientErrorVerbosity: 'verbose' | 'minimal';
  readonly dbAggregatesEnabled: boolean;
  readonly dbAnonRole: string | undefined;
  /** Sends several reads to the database in one write. */
  readonly dbBatchReads: boolean;
  readonly dbChannel: string;
  readonly dbChannelEnabled: boolean;
  readonly dbConfig: boolean;
  readonly dbDiscardPlans: boolean;
  readonly dbKeepHeap: boolean;
  readonly dbExtraSearchPath: readonly string[];
  readonly dbHoistedTxSettings: readonly string[];
  /** Schema of the functions that store responses; undefined: idempotency keys are ignored. */
  readonly dbIdempotencySchema: string | undefined;
  /** Cost units of PostgreSQL's planner; undefined or 0: no budget. */
  readonly dbMaxCost: number | undefined;
  readonly dbMaxRows: number | undefined;
  readonly dbPlanEnabled: boolean;
  readonly dbPool: number;
  /** Seconds. */
  readonly dbPoolAcquisitionTimeout: number;
  readonly dbPoolAutomaticRecovery: boolean;
  /** Seconds. */
  readonly dbPoolMaxIdletime: number;
  /** Seconds. */
  readonly dbPoolMaxLifetime: number;
  readonly dbPreConfig: FunctionReference | undefined;
  readonly dbPreRequest: FunctionReference | undefined;
  readonly dbPreparedStatements: boolean;
  /** How the client receives the position of a write, if there are replicas. */
  readonly dbReadYourWrites: 'off' | 'header' | 'cookie';
  /** Maximum lag of a replica in seconds. */
  readonly dbReplicaMaxLag: number;
  /** Milliseconds that a read waits for its position. */
  readonly dbReplicaWait: number;
  readonly dbRootSpec: FunctionReference | undefined;
  readonly dbSafeUpdate: boolean;
  /** Never empty; the first is the default. */
  readonly dbSchemas: readonly string[];
  /** Claim that narrows tables which Citus distributes by a column of its name. */
  readonly dbShardClaim: string | undefined;
  /** Hands the trace of a request to the database; requires the extension `otel`. */
  readonly dbTraceparent: boolean;
  readonly dbTxEnd: TransactionEnd;
  /** Connection string, with `@file` resolved. */
  readonly dbUri: string;
  /** Connection strings of the replicas, with `@file` resolved. */
  readonly dbUriReplicas: readonly string[];
  readonly dialect: DialectName;
  /** Enabled extensions, in the order in which they are listed. */
  readonly extensions: EnabledExtensions;
  /** Warnings about ignored parts of the sources, one sentence each. */
  readonly warnings: readonly string[];
  /** Prefix of the variables that were read; may differ from the dialect's own (`resolve-dialect.ts`). */
  readonly environmentPrefix: string;
  /** Maximum number of event streams of channels. */
  readonly eventsMaxStreams: number;
  readonly idempotencyAnonymous: boolean;
  /** Seconds. */
  readonly idempotencyMaxAge: number;
  readonly idempotencyMaxBytes: number;
  readonly internalSchemaCacheQuerySleepBeforeQueries: number | undefined;
  readonly internalSchemaCacheQuerySleep: number | undefined;
  readonly jwtAud: string | undefined;
  /** Name of the cookie that contains the token; undefined: tokens come in `Authorization` only. */
  readonly jwtCookie: string | undefined;
  /** The issuer that tokens must name, exactly as in their `iss` claim. */
  readonly jwtIssuer: string | undefined;
  /** URL of a JSON Web Key Set. */
  readonly jwtJwksUri: string | undefined;
  readonly jwtCacheMaxEntries: number;
  /** Set by a source or by the dialect; enables the cache (`operating.md` §3.7). */
  readonly jwtCacheMaxEntriesIsSet: boolean;
  /** Seconds; undefined: not set. */
  readonly jwtCacheMaxLifetime: number | undefined;
  /** In its printed form (`operating.md` §2.1 item 5); `auth/role-path.ts` parses it. */
  readonly jwtRoleClaimKey: string;
  /** Secret bytes, with `@file` and base64 resolved. */
  readonly jwtSecret: Uint8Array | undefined;
  readonly jwtSecretIsBase64: boolean;
  /** Bytes. */
  readonly liveBufferSize: number;
  /** Connection string; undefined: `dbUri`. */
  readonly liveDbUri: string | undefined;
  readonly liveHeaders: readonly string[];
  readonly liveIgnoreClaims: readonly string[];
  /** Milliseconds. */
  readonly liveInterval: number;
  readonly liveMaxBytes: number;
  readonly liveMaxRows: number;
  readonly liveMaxStreams: number;
  /** Undefined: reads cannot be watched. */
  readonly livePublication: string | undefined;
  /** Seconds. */
  readonly liveResync: number;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  readonly logQuery: boolean;
  /** Rows in the result of a tool call. */
  readonly mcpMaxRows: number;
  /** Path of the MCP endpoint; undefined: there is none. Requires the extension `mcp`. */
  readonly mcpPath: string | undefined;
  /** Whether agents get tools that write. */
  readonly mcpWrites: boolean;
  /** Levels of related rows in a body. */
  readonly nestedMaxDepth: number;
  readonly nestedMaxRows: number;
  readonly openapiExternalDocs: string | undefined;
  readonly openapiMode: OpenApiMode;
  readonly openapiSecurityActive: boolean;
  readonly openapiServerProxyUri: string | undefined;
  /** Version of the document at `/` unless the request's media type selects one. */
  readonly openapiVersion: OpenApiVersion;
  /** Every host if empty. */
  readonly serverAllowedHosts: readonly string[];
  /** Every origin if empty. */
  readonly serverCorsAllowedOrigins: readonly string[];
  /** Serves the explorer to browsers at `/`. */
  readonly serverExplorer: boolean;
  readonly serverHost: string;
  readonly serverPort: number;
  /** Of each client; requires the extension `rates`. */
  readonly serverRateLimit: RateLimit | undefined;
  /** What tells clients apart. */
  readonly serverRateLimitBy: RateKey;
  readonly serverReuseport: boolean;
  /** Requires the extension `etag`. */
  readonly serverEtags: boolean;
  readonly serverTimingEnabled: boolean;
  readonly serverTraceHeader: string | undefined;
  /** Addresses, networks and `unix`, whose `X-Forwarded-For` names the client. */
  readonly serverTrustedProxies: readonly string[];
  readonly serverUnixSocket: string | undefined;
  readonly serverUnixSocketMode: number;
  /** Number of processes that serve requests; `auto`: half of the cores, at most a third of `dbPool`. */
  readonly serverWorkers: number | 'auto';
  readonly urlUseLegacyTargetNames: boolean;
  /** Seconds. */
  readonly serverBodyTimeout: number;
  /** Seconds. */
  readonly serverHeadersTimeout: number;
  /** Seconds. */
  readonly serverKeepAliveTimeout: number;
  /** Maximum bytes of a request body; beyond it the status is 413. */
  readonly serverMaxBodySize: number;
  /** Maximum number in flight on one connection. */
  readonly serverMaxConnectionRequests: number;
  readonly serverMaxConnections: number;
  /** Maximum header fields of a request; beyond it the status is 431. */
  readonly serverMaxHeaders: number;
  readonly serverMaxJsonDepth: number;
  /** Maximum number in flight on all connections. */
  readonly serverMaxRequests: number;
  /** Seconds; 0: no limit. */
  readonly serverMaxWait: number;
  /** Seconds. */
  readonly serverSendTimeout: number;
  /** Seconds after the termination signal until requests still in flight are cut off. */
  readonly serverShutdownGrace: number;
  readonly urlMaxBrackets: number;
  /** Maximum characters of a URL; beyond it the status is 414. */
  readonly urlMaxLength: number;
  readonly urlMaxEmbedDepth: number;
  readonly urlMaxEmbeds: number;
  readonly urlMaxLogicDepth: number;
  readonly urlMaxPathSteps: number;
  readonly urlMaxSelectItems: number;
  readonly urlMaxTerms: number;
}
