// The effective configuration: every option of `operating.md` §1.5 with its type, as the server uses it.
import type { DialectName } from '../../contract/dialect.ts';
import type { Extension } from '../../contract/extensions.ts';

export type LogLevel = 'crit' | 'error' | 'warn' | 'info' | 'debug';
export type LogFormat = 'text' | 'json';
export type TransactionEnd = 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override';
export type OpenApiMode = 'follow-privileges' | 'ignore-privileges' | 'disabled';
export type OpenApiVersion = '2.0' | '3.1';

/** `schema.function`, cut at the first dot; no schema: resolved through the search path. */
export interface FunctionReference {
  readonly schema: string | undefined;
  readonly name: string;
}

export interface AppConfig {
  readonly adminServerHost: string;
  readonly adminServerPort: number | undefined;
  readonly adminServerUnixSocket: string | undefined;
  readonly adminServerUnixSocketMode: number;
  /** Key without the `app.settings.` prefix, and value. */
  readonly appSettings: readonly (readonly [name: string, value: string])[];
  readonly clientErrorVerbosity: 'verbose' | 'minimal';
  readonly dbAggregatesEnabled: boolean;
  readonly dbAnonRole: string | undefined;
  /** Sends several reads in one write. */
  readonly dbBatchReads: boolean;
  readonly dbChannel: string;
  readonly dbChannelEnabled: boolean;
  readonly dbConfig: boolean;
  readonly dbDiscardPlans: boolean;
  readonly dbExtraSearchPath: readonly string[];
  readonly dbHoistedTxSettings: readonly string[];
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
  /** What bears a write's position to the client, where there are replicas. */
  readonly dbReadYourWrites: 'off' | 'header' | 'cookie';
  /** Seconds that a replica may be behind. */
  readonly dbReplicaMaxLag: number;
  /** Milliseconds that a read waits for its position. */
  readonly dbReplicaWait: number;
  readonly dbRootSpec: FunctionReference | undefined;
  readonly dbSafeUpdate: boolean;
  /** Never empty; the first is the default. */
  readonly dbSchemas: readonly string[];
  readonly dbTxEnd: TransactionEnd;
  /** Resolved connection string (`@file` read). */
  readonly dbUri: string;
  /** Resolved connection strings, one for each replica. */
  readonly dbUriReplicas: readonly string[];
  readonly dialect: DialectName;
  /** The active ones, in the order in which they are told. */
  readonly extensions: readonly Extension[];
  /** What of the sources was passed over, a sentence each. */
  readonly complaints: readonly string[];
  /** Of the variables that were read; not always that of the dialect (`resolve-dialect.ts`). */
  readonly environmentPrefix: string;
  readonly internalSchemaCacheQuerySleepBeforeQueries: number | undefined;
  readonly internalSchemaCacheQuerySleep: number | undefined;
  readonly jwtAud: string | undefined;
  readonly jwtCacheMaxEntries: number;
  /** By a source or by the dialect; switches the cache on (`operating.md` §3.7). */
  readonly jwtCacheMaxEntriesIsSet: boolean;
  /** Seconds; undefined: not set. */
  readonly jwtCacheMaxLifetime: number | undefined;
  /** In its printed form (`operating.md` §2.1 item 5); `auth/role-path.ts` parses it. */
  readonly jwtRoleClaimKey: string;
  /** Resolved secret bytes (`@file` read, base64 decoded). */
  readonly jwtSecret: Uint8Array | undefined;
  readonly jwtSecretIsBase64: boolean;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  readonly logQuery: boolean;
  readonly openapiExternalDocs: string | undefined;
  readonly openapiMode: OpenApiMode;
  readonly openapiSecurityActive: boolean;
  readonly openapiServerProxyUri: string | undefined;
  /** Of the document that answers `/` unless a version is asked for by media type. */
  readonly openapiVersion: OpenApiVersion;
  /** Empty: every host. */
  readonly serverAllowedHosts: readonly string[];
  /** Empty: every origin. */
  readonly serverCorsAllowedOrigins: readonly string[];
  /** The explorer answers browsers at `/`. */
  readonly serverExplorer: boolean;
  readonly serverHost: string;
  readonly serverPort: number;
  readonly serverReuseport: boolean;
  readonly serverTimingEnabled: boolean;
  readonly serverTraceHeader: string | undefined;
  readonly serverUnixSocket: string | undefined;
  readonly serverUnixSocketMode: number;
  /** Processes that answer requests; `auto`: one for each core. */
  readonly serverWorkers: number | 'auto';
  readonly urlUseLegacyTargetNames: boolean;
  /** Seconds. */
  readonly serverBodyTimeout: number;
  /** Seconds. */
  readonly serverHeadersTimeout: number;
  /** Seconds. */
  readonly serverKeepAliveTimeout: number;
  /** Bytes of a request body beyond which the answer is 413. */
  readonly serverMaxBodySize: number;
  /** In flight on one connection. */
  readonly serverMaxConnectionRequests: number;
  readonly serverMaxConnections: number;
  /** Header fields of a request beyond which the answer is 431. */
  readonly serverMaxHeaders: number;
  readonly serverMaxJsonDepth: number;
  /** In flight on all connections. */
  readonly serverMaxRequests: number;
  /** Seconds; 0: however long. */
  readonly serverMaxWait: number;
  /** Seconds. */
  readonly serverSendTimeout: number;
  /** Seconds from the signal to end until requests that are still under way are cut off. */
  readonly serverShutdownGrace: number;
  /** Characters of a URL beyond which the answer is 414. */
  readonly urlMaxBrackets: number;
  readonly urlMaxLength: number;
  readonly urlMaxEmbedDepth: number;
  readonly urlMaxEmbeds: number;
  readonly urlMaxLogicDepth: number;
  readonly urlMaxPathSteps: number;
  readonly urlMaxSelectItems: number;
}
