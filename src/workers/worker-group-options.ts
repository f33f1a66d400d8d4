// What a group of workers needs from the process that starts them.
import type { Socket } from 'node:net';
import type { AppConfig } from '../config/table/app-config.ts';
import type { Quota, RateGrant } from '../contract/rate-limit.ts';
import type { LogOutput } from '../observe/logger.ts';
import type { Observation } from '../observe/observation.ts';
import type { LogFeedOptions } from '../service/streams/log-feed.ts';

export interface WorkerGroupOptions {
  readonly count: number;
  readonly config: AppConfig;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: LogOutput;
  readonly hasRuntimeMetrics: boolean;
  readonly observe: (observation: Observation) => void;
  readonly takeFromQuota: (quota: Quota) => RateGrant;
  /** Called when a request has found the database unreachable. */
  readonly onLoss: () => void;
  /** Opens the log of the database, which all workers share. */
  readonly openLog: LogFeedOptions['open'];
  /** Called when the database has answered a request although it was considered unreachable. */
  readonly onRecovered: () => void;
  /** Called when the server cannot continue. */
  readonly onFatal: (reason: Observation) => void;
  /** Called when a worker can take the next connection. */
  readonly onFree: () => void;
  /** Called with a connection that has not reached its worker. */
  readonly onUndelivered: (socket: Socket) => void;
}
