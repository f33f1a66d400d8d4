// Serves the API with workers: this process accepts the connections and hands them over.
import type { Observation } from '../observe/observation.ts';
import { waitAtMost } from '../service/scheduling/wait-at-most.ts';
import type { Service } from '../service/service.ts';
import type { ApiFront } from '../http/api-front.ts';
import { ConnectionDistributor } from './connection-distributor.ts';
import { WorkerGroup } from './worker-group.ts';
import type { WorkerGroupOptions } from './worker-group-options.ts';

export interface WorkerFrontOptions extends Pick<
  WorkerGroupOptions,
  'count' | 'config' | 'environment' | 'output' | 'hasRuntimeMetrics' | 'takeFromQuota'
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
    count: () => workers.count(),
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

type ServiceLinks = Pick<WorkerGroupOptions, 'onLoss' | 'onRecovered' | 'onFatal' | 'openLog'>;

function linkTo(service: () => Service): ServiceLinks {
  return {
    onLoss: () => service().noticeLoss(),
    onRecovered: () => service().noticeSuccess(),
    onFatal: (reason) => service().end(reason),
    openLog: (log) => service().openLog(log),
  };
}
