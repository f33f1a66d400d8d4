// Accepts and serves the connections of the API, in this process or in workers.
import type { Server } from 'node:net';
import type { WorkerStatus } from '../contract/status-document.ts';
import { NO_COUNTS, type ServingCounts } from '../observe/serving-counts.ts';
import type { Service } from '../service/service.ts';
import { drain } from './exchange/drain.ts';
import type { Listening } from './listen/listen.ts';
import type { HttpServer } from './exchange/node-http.ts';
import { countService } from './admin/render-metrics.ts';

/** A server and the procedure to end it. */
export interface Front {
  /** Listens. */
  readonly server: Server;
  /**
   * Resolves when the last connection is closed.
   * @param listening undefined if the server does not listen yet
   * @param deadline time of `performance.now()` at which open connections are cut off
   * @returns the number of requests that were cut off
   */
  readonly end: (listening: Listening | undefined, deadline: number) => Promise<number>;
}

export interface ApiFront extends Front {
  /** Whether accepted connections are served. */
  readonly isServing: boolean;
  /** Resolves when connections can be accepted. Call when the service has started. */
  readonly open: () => Promise<void>;
  /** Returns why some requests are not served, in sentences. */
  readonly findProblems: () => Promise<readonly string[]>;
  readonly count: () => Promise<ServingCounts>;
  /** Returns the last known status; undefined if this process answers requests itself. */
  readonly describeWorkers: () => readonly WorkerStatus[] | undefined;
}

export function createFront(http: HttpServer): Front {
  return { server: http.server, end: (listening, deadline) => end(http, listening, deadline) };
}

/** @param http server for the requests of the service */
export function createOwnFront(service: Service, http: HttpServer): ApiFront {
  return {
    ...createFront(http),
    isServing: true,
    open: () => Promise.resolve(),
    findProblems: () => Promise.resolve([]),
    describeWorkers: () => undefined,
    count: () => Promise.resolve(countService(service, NO_COUNTS.refusals)),
  };
}

async function end(http: HttpServer, listening: Listening | undefined, deadline: number): Promise<number> {
  const { server, connections } = http;
  const left = listening?.leave(server, () => connections.announceEnd());
  const requests = await drain(connections, deadline, left);
  // Ends Node's timers for the server.
  server.close();
  return requests;
}
