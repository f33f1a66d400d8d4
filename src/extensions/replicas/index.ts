// Replicas: reads may run on standbys, at least as fresh as the client's own writes (`docs/replicas.md`). The positions of
// writes are also sent without replicas, if the client prefers it (`beyond.md` §6.2).
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { Extension, Running, ServiceEnvironment } from '../../serve/extension.ts';
import type { FindHeaders } from '../../serve/request-context.ts';
import { createReplicaSet, findReplicaFault } from './create-replica-set.ts';
import { planReplicaUse } from './plan-replica-use.ts';
import { positionHeaders } from './position-headers.ts';
import type { PositionCarrier } from './read-freshness.ts';
import { describeReplicaMetrics } from './replica-metrics.ts';

export const REPLICAS: Extension = {
  name: 'replicas',
  compile({ config, dialect }) {
    const { positionHeader: name } = dialect;
    const renderHeaders =
      (carrier: PositionCarrier): FindHeaders =>
      (script, result, { basePath }) =>
        positionHeaders(script, result, { carrier, basePath });
    if (config.dbUriReplicas.length === 0)
      return config.extensions.sync ? { headers: renderHeaders({ name, kind: 'header' }) } : undefined;
    const carrier = { name, kind: config.dbReadYourWrites };
    return {
      completeScript: (script, action, { headers }) => ({
        ...script,
        ...planReplicaUse(script, action, headers, carrier),
      }),
      headers: renderHeaders(carrier),
    };
  },
  start(environment) {
    if (environment.config.dbUriReplicas.length === 0) return undefined;
    return {
      findFault: (config) => findReplicaFault(config, environment),
      ...(environment.servesRequests && runReplicas(environment)),
    };
  },
};

function runReplicas(environment: ServiceEnvironment): Running {
  const replicas = createReplicaSet(environment);
  let known: SchemaCache | undefined;
  return {
    database: replicas,
    begin: () => replicas.start(),
    apply({ cache }) {
      if (cache !== known) replicas.flush();
      known = cache;
      return {};
    },
    metrics: () => describeReplicaMetrics(replicas.replicaStatistics),
    waiting: () => replicas.waitingForPermit,
    close: () => replicas.close(),
  };
}
