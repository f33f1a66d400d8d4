// Serves the API with workers: this process accepts the connections and hands them over.
import { createServer, type Server, type Socket } from 'node:net';
import type { Observation } from '../observe/observation.ts';
import { addCounts, NO_COUNTS } from '../observe/serving-counts.ts';
import { waitAtMost } from '../service/scheduling/waiting.ts';
import type { Service } from '../service/service.ts';
import type { ApiFront } from '../http/api-front.ts';
import { WorkerGroup, type WorkerGroupOptions } from './worker-group.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface WorkerFrontOptions extends Pick<
  WorkerGroupOptions,
  'count' | 'config' | 'environment' | 'output' | 'hasRuntimeMetrics'
> {
  /** The service whose worker channel is this group of workers; created after them. */
  readonly service: () => Service;
  /** Called when a connection was closed immediately. */
  readonly onDrop: () => void;
}

export interface WorkerFront {
  readonly workerChannel: WorkerGroup;
  readonly front: ApiFront;
}

export function createWorkerFront({ service, onDrop, ...options }: WorkerFrontOptions): WorkerFront {
  const { dbPool, serverMaxConnections } = options.config;
  const observe = (observation: Observation): void => service().logger.observe(observation);
  const workers: WorkerGroup = new WorkerGroup({
    ...options,
    observe,
    ...linkTo(service),
    onFree: () => distributor.distribute(),
    onUndelivered: (socket) => distributor.requeue(socket),
  });
  const distributor = new ConnectionDistributor({
    maxWaiting: serverMaxConnections,
    onDrop,
    findFree: () => workers.findFree(),
  });
  const front: ApiFront = {
    server: distributor.server,
    get isServing() {
      return workers.isServing;
    },
    open: async () => {
      if (dbPool < options.count) observe({ kind: 'poolIndivisible', size: dbPool, workers: options.count });
      await workers.open();
      if (workers.isServing) observe({ kind: 'workersStarted', pids: workers.pids });
    },
    findProblems: () => workers.findProblems(),
    // Extensions of this process count what all workers share.
    count: async () =>
      addCounts({ ...NO_COUNTS, extensions: service().health.counters.extensions }, await workers.count()),
    describeWorkers: () => workers.describe(),
    end: async (listening, deadline) => {
      workers.close();
      await listening?.leave(distributor.server, () => workers.announceEnd());
      await waitAtMost(Math.max(0, deadline - performance.now()), distributor.whenDistributed());
      distributor.abandon();
      return workers.stop(deadline);
    },
  };
  return { workerChannel: workers, front };
}

type ServiceLinks = Pick<WorkerGroupOptions, 'answer' | 'onWorkerEnd' | 'onLoss' | 'onRecovered' | 'onFatal'>;

function linkTo(service: () => Service): ServiceLinks {
  return {
    answer: (extension, question, worker) => service().serving.running.get(extension)?.answerWorker?.(question, worker),
    onWorkerEnd: (worker) => {
      for (const { noticeWorkerEnd } of service().serving.running.values()) noticeWorkerEnd?.(worker);
    },
    onLoss: () => service().noticeLoss(),
    onRecovered: () => service().noticeSuccess(),
    onFatal: (reason) => service().end(reason),
  };
}

interface ConnectionDistributorOptions {
  /** Maximum number of waiting connections. */
  readonly maxWaiting: number;
  /** Called when a further connection was closed immediately. */
  readonly onDrop: () => void;
  /** @returns the next free worker in turn */
  readonly findFree: () => Pick<WorkerProcess, 'handOver'> | undefined;
}

/**
 * Accepts connections on behalf of the workers and hands them over in turn. Connections wait while no worker is free.
 */
class ConnectionDistributor {
  readonly server: Server;
  readonly #options: ConnectionDistributorOptions;
  readonly #waiting: Socket[] = [];
  #onDistributed: (() => void) | undefined;

  constructor(options: ConnectionDistributorOptions) {
    this.#options = options;
    // The worker reads the first bytes.
    this.server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      socket.on('error', () => {});
      this.#waiting.push(socket);
      this.distribute();
    });
    this.server.maxConnections = options.maxWaiting;
    this.server.on('drop', options.onDrop);
  }

  /** Call when a worker has become free. */
  distribute(): void {
    for (;;) {
      const worker = this.#waiting.length > 0 ? this.#options.findFree() : undefined;
      const socket = worker === undefined ? undefined : this.#waiting.shift();
      if (worker === undefined || socket === undefined) break;
      worker.handOver(socket);
    }
    if (this.#waiting.length === 0) this.#onDistributed?.();
  }

  /** Takes a connection back whose worker ended before receiving it. */
  requeue(socket: Socket): void {
    this.#waiting.unshift(socket);
    this.distribute();
  }

  /** Resolves when no connection waits. Call when the server has stopped listening. */
  async whenDistributed(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => (this.#onDistributed = resolve));
  }

  /** Closes the waiting connections. */
  abandon(): void {
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    this.#onDistributed?.();
  }
}
