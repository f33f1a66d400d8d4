// Who takes the connections of the API and answers them: this process, or workers that it has started.
import type { Server } from 'node:net';
import type { WorkerStatus } from '../contract/status-document.ts';
import { NO_COUNTS, type ServingCounts } from '../observe/serving-counts.ts';
import type { Service } from '../service/service.ts';
import { drain } from './exchange/drain.ts';
import type { Listening } from './listen/listen.ts';
import type { HttpServer } from './exchange/node-http.ts';
import { countService } from './admin/render-metrics.ts';

/** A server and how it ends. */
export interface Front {
  /** Listens. */
  readonly server: Server;
  /**
   * Resolves when the last connection is closed.
   * @param listening undefined: it does not listen yet
   * @param deadline of `performance.now()`, when what is still open is cut off
   * @returns requests that were cut off
   */
  readonly end: (listening: Listening | undefined, deadline: number) => Promise<number>;
}

export interface ApiFront extends Front {
  /** Whether somebody answers what it accepts. */
  readonly isServing: boolean;
  /** Resolves when connections can be taken. To be called when the service has started. */
  readonly open: () => Promise<void>;
  /** Why not everything is answered, in sentences. */
  readonly findProblems: () => Promise<readonly string[]>;
  readonly count: () => Promise<ServingCounts>;
  /** As counted last; undefined where this process answers requests itself. */
  readonly describeWorkers: () => readonly WorkerStatus[] | undefined;
}

export function createFront(http: HttpServer): Front {
  return { server: http.server, end: (listening, deadline) => end(http, listening, deadline) };
}

/** @param http serves the service's requests */
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
  await listening?.leave(server, () => connections.announceEnd());
  const requests = await drain(connections, deadline);
  // Ends what else Node does for a server.
  server.close();
  return requests;
}
