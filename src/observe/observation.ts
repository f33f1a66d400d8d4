// Events that an operator may want to know about, as data. Requests are reported separately (`request-report.ts`).
import type { SchemaCacheSummary } from '../catalog/summary.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RenderedError } from '../errors/render-error.ts';

export type Observation =
  // Start and end
  | { readonly kind: 'starting' }
  | { readonly kind: 'listening'; readonly server: 'API' | 'Admin'; readonly address: string }
  | { readonly kind: 'cannotListen'; readonly server: 'API' | 'Admin'; readonly reason: string }
  | { readonly kind: 'adminCrashed'; readonly reason: string }
  | { readonly kind: 'signalReceived'; readonly signal: string }
  | { readonly kind: 'shutdownCutOff'; readonly requests: number; readonly seconds: number }
  // Workers
  | { readonly kind: 'workersChosen'; readonly count: number; readonly cores: number; readonly pool: number }
  | { readonly kind: 'workersStarted'; readonly pids: readonly number[] }
  | { readonly kind: 'poolIndivisible'; readonly size: number; readonly workers: number }
  | {
      readonly kind: 'workerEnded';
      readonly worker: number;
      readonly pid: number;
      readonly cause: string;
      readonly seconds: number;
    }
  | { readonly kind: 'workerReplaced'; readonly worker: number; readonly pid: number }
  | { readonly kind: 'workersUnstartable'; readonly cause: string }
  // Database
  | { readonly kind: 'databaseReached'; readonly version: string }
  | { readonly kind: 'poolInitialized'; readonly size: number }
  | { readonly kind: 'connectionLimitReached'; readonly error: ApiError }
  | { readonly kind: 'connectionUnusable'; readonly reason: string }
  | { readonly kind: 'versionQueryFailed'; readonly error: ApiError }
  | { readonly kind: 'databaseNotNamed' }
  | { readonly kind: 'operatorActionNeeded'; readonly remedy: string }
  | { readonly kind: 'reconnecting'; readonly seconds: number }
  | { readonly kind: 'recoveryDisabled' }
  | { readonly kind: 'versionTooOld'; readonly version: string; readonly minimum: string }
  | { readonly kind: 'credentialsRefused'; readonly failure: RenderedError }
  | { readonly kind: 'statementExists'; readonly failure: RenderedError }
  | { readonly kind: 'statementPooling'; readonly failure: RenderedError }
  | { readonly kind: 'internalError'; readonly failure: RenderedError }
  | { readonly kind: 'replicaJoined'; readonly replica: string }
  | { readonly kind: 'replicaLeft'; readonly replica: string; readonly reason: string }
  // Configuration
  | { readonly kind: 'foreignEnvironment'; readonly read: string; readonly dialect: Dialect }
  | { readonly kind: 'configDoubtful'; readonly complaint: string }
  | { readonly kind: 'configReloaded' }
  | { readonly kind: 'configRefused'; readonly message: string }
  | { readonly kind: 'databaseSettingsFailed'; readonly error: ApiError }
  | { readonly kind: 'roleSettingsFailed'; readonly error: ApiError }
  | { readonly kind: 'rolePathDeprecated'; readonly path: string; readonly replacement: string }
  | { readonly kind: 'setupIncomplete'; readonly text: string }
  // Keys of the issuer
  | { readonly kind: 'issuerKeysLoaded'; readonly count: number }
  | { readonly kind: 'issuerKeysFailed'; readonly reason: string; readonly seconds: number }
  // Schema cache
  | { readonly kind: 'cacheQueried'; readonly milliseconds: number }
  | { readonly kind: 'cacheStatementsTimed'; readonly milliseconds: ReadonlyMap<string, number> }
  | { readonly kind: 'cacheLoaded'; readonly summary: SchemaCacheSummary; readonly milliseconds: number }
  | {
      readonly kind: 'cacheFailed';
      readonly schemas: readonly string[];
      readonly extraSearchPath: readonly string[];
      readonly error: ApiError;
    }
  // Listener
  | {
      readonly kind: 'listenerConnected';
      readonly serverVersion: string;
      readonly host: string;
      readonly port: number;
      readonly channel: string;
    }
  | { readonly kind: 'liveLogOpened' }
  | { readonly kind: 'liveLogFailed'; readonly error: ApiError }
  | { readonly kind: 'listenerFailed'; readonly channel: string; readonly reason: string }
  | { readonly kind: 'listenerRetrying'; readonly seconds: number }
  | { readonly kind: 'notificationQueueDamaged' }
  | { readonly kind: 'reloadNotified'; readonly subject: 'schema cache' | 'config'; readonly channel: string }
  // Requests, beside their report
  | { readonly kind: 'handlerCrashed'; readonly reason: string }
  /** A request whose `Authorization` is a token without `Bearer`. */
  | { readonly kind: 'tokenBare'; readonly method: string; readonly target: string }
  /** The response failed after it had started. */
  | {
      readonly kind: 'answerBroken';
      readonly method: string;
      readonly target: string;
      readonly failure: RenderedError;
    }
  | { readonly kind: 'connectionFailed'; readonly reason: string }
  // Pool and caches, in detail
  | { readonly kind: 'poolActive'; readonly activity: PoolActivity }
  | { readonly kind: 'connectionActive'; readonly connection: number; readonly activity: string }
  | { readonly kind: 'tokenLookedUp' }
  | { readonly kind: 'tokenEvicted' };

export type PoolActivity = 'borrowing' | 'borrowed' | 'flushed';

/** Receives an observation. */
export type Observe = (observation: Observation) => void;
