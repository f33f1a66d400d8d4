// Replicas: reads may run on standbys, at least as fresh as the client's own writes (`docs/replicas.md`).
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { Extension, Running, ServiceEnvironment } from '../../serve/extension.ts';
import { createReplicaSet, findReplicaFault } from './create-replica-set.ts';
import { planReplicaUse } from './plan-replica-use.ts';
import { positionHeaders } from './position-headers.ts';
import { describeReplicaMetrics } from './replica-metrics.ts';

export const REPLICAS: Extension = {
  name: 'replicas',
  compile({ config, dialect }) {
    if (config.dbUriReplicas.length === 0) return undefined;
    const carrier = { name: dialect.positionHeader, kind: config.dbReadYourWrites };
    return {
      completeScript: (script, action, { headers }) => ({
        ...script,
        ...planReplicaUse(script, action, headers, carrier),
      }),
      headers: (script, result, { basePath }) => positionHeaders(script, result, { carrier, basePath }),
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
