// What the primary process and its workers tell each other. Both are of one package, so nothing is checked but the version.
import type { AppConfig } from '../config/table/app-config.ts';
import type { SettingsByRole } from '../config/resolve/role-settings.ts';
import type { Observation } from '../observe/observation.ts';
import type { ServingCounts } from '../observe/serving-counts.ts';
import type { Share } from './share-config.ts';
import type { SerializedCatalog } from '../service/schema-cache/serialized-catalog.ts';

/** What requests are answered by, as far as it is known. */
export interface WorkerState {
  /** Of the command: each worker takes its share of it. */
  readonly config: AppConfig;
  readonly roles: SettingsByRole;
  /** Undefined before the first load that succeeded. */
  readonly catalog: SerializedCatalog | undefined;
  /** Milliseconds since 1970: when the primary tries again to reach the database; 0: it does not wait. */
  readonly retryAt: number;
}

export interface WorkerSetup {
  /** Of the primary: another one may lie in the folder by the time a worker is replaced. */
  readonly version: string;
  readonly share: Share;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hasRuntimeMetrics: boolean;
  readonly state: WorkerState;
}

/** Is answered by `done` with the same number. */
export type Question =
  | { readonly kind: 'findProblems' }
  | { readonly kind: 'count' }
  | { readonly kind: 'configure'; readonly config: AppConfig; readonly roles: SettingsByRole }
  | { readonly kind: 'publishCatalog'; readonly catalog: SerializedCatalog };

export type PrimaryMessage =
  | { readonly kind: 'setUp'; readonly setup: WorkerSetup }
  | { readonly kind: 'asked'; readonly id: number; readonly question: Question }
  | { readonly kind: 'wait'; readonly retryAt: number }
  /** Comes with a connection. */
  | { readonly kind: 'connection' }
  /** Answers are to say that their connection closes. */
  | { readonly kind: 'announceEnd' }
  /** No connection follows; what is not over after so many milliseconds is cut off. */
  | { readonly kind: 'end'; readonly milliseconds: number };

export interface WorkerCounts {
  readonly counts: ServingCounts;
  /** Of the monotonic clock by which its times are told, in milliseconds since 1970. */
  readonly timeOrigin: number;
}

/** What was asked for; nothing else is told. */
export interface Answer {
  /** Why it does not answer requests, in sentences. */
  readonly problems?: readonly string[];
  readonly counted?: WorkerCounts;
}

export type WorkerMessage =
  /** It runs, and waits for its set-up. */
  | { readonly kind: 'launched' }
  /** It takes connections. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly answer: Answer }
  /** The connection has arrived; the next one may come. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'loss' }
  | { readonly kind: 'back' }
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
