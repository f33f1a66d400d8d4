// Messages between the primary process and its workers. Both run the same package, so only the version is checked.
import type { AppConfig } from '../config/table/app-config.ts';
import type { SettingsByRole } from '../config/resolve/role-settings.ts';
import type { Observation } from '../observe/observation.ts';
import type { ServingCounts } from '../observe/serving-counts.ts';
import type { SerializedCatalog } from '../service/schema-cache/serialized-catalog.ts';

/** The state that requests are answered from, as far as it is known. */
export interface WorkerState {
  /** Configuration of the whole server; each worker takes its share. */
  readonly config: AppConfig;
  readonly roles: SettingsByRole;
  /** Undefined before the first successful load. */
  readonly catalog: SerializedCatalog | undefined;
  /** When the primary retries to reach the database, in milliseconds since the epoch; 0 if it is not waiting. */
  readonly retryAt: number;
}

export interface WorkerSetup {
  /** Version of the primary; the installed package may be newer by the time a worker is replaced. */
  readonly version: string;
  readonly share: Share;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hasRuntimeMetrics: boolean;
  readonly state: WorkerState;
}

/** Answered by `done` with the same id. */
export type Question =
  | { readonly kind: 'findProblems' }
  | { readonly kind: 'count' }
  | { readonly kind: 'configure'; readonly config: AppConfig; readonly roles: SettingsByRole }
  | { readonly kind: 'publishCatalog'; readonly catalog: SerializedCatalog };

export type PrimaryMessage =
  | { readonly kind: 'setUp'; readonly setup: WorkerSetup }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  /** Answers `ask` with the same id. */
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'wait'; readonly retryAt: number }
  /** What an extension tells the same one in the worker. */
  | { readonly kind: 'news'; readonly extension: string; readonly news: unknown }
  /** Sent with a connection handle. */
  | { readonly kind: 'connection' }
  /** Responses must announce that their connection closes. */
  | { readonly kind: 'announceEnd' }
  /** No connection follows; requests that take longer than this are cut off. */
  | { readonly kind: 'end'; readonly milliseconds: number };

export interface WorkerCounts {
  readonly counts: ServingCounts;
  /** `performance.timeOrigin` of the worker, in milliseconds since the epoch. */
  readonly timeOrigin: number;
}

/** The result of a question; other fields are unset. */
export interface Answer {
  /** Why the worker does not answer requests, in sentences. */
  readonly problems?: readonly string[];
  readonly counted?: WorkerCounts;
}

export type WorkerMessage =
  /** The worker runs and waits for its setup. */
  | { readonly kind: 'launched' }
  /** The worker accepts connections. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly answer: Answer }
  /** The connection has arrived; the next one may be sent. */
  | { readonly kind: 'received' }
  /** An extension asks the same one in the primary, which keeps what all workers share. */
  | { readonly kind: 'ask'; readonly id: number; readonly extension: string; readonly question: unknown }
  | { readonly kind: 'loss' }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'fatal'; readonly reason: Observation }
  | { readonly kind: 'ended'; readonly cutOff: number };

export function isPrimaryMessage(value: unknown): value is PrimaryMessage {
  return hasKind(value);
}

export function isWorkerMessage(value: unknown): value is WorkerMessage {
  return hasKind(value);
}

function hasKind(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

interface Share {
  /** Index of the worker, from 0. */
  readonly index: number;
  /** Number of workers. */
  readonly count: number;
}

/**
 * Derives the configuration of a worker from that of the server: divides shared limits. Each worker gets at
 * least one of each, so many workers may exceed a small limit.
 */
export function shareConfig(config: AppConfig, share: Share): AppConfig {
  return {
    ...config,
    dbPool: shareOf(config.dbPool, share),
    serverMaxRequests: shareOf(config.serverMaxRequests, share),
    serverMaxConnections: shareOf(config.serverMaxConnections, share),
  };
}

/** The first workers get the remainder. */
function shareOf(total: number, { index, count }: Share): number {
  return Math.max(1, Math.floor(total / count) + (index < total % count ? 1 : 0));
}
