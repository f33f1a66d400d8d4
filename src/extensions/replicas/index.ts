// Replicas: reads may run on standbys, at least as fresh as the client's own writes (`docs/replicas.md`). The positions of
// writes are also sent without replicas, if the client prefers it (`beyond.md` §6.2).
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { Extension, Running, ServiceEnvironment } from '../../serve/extension.ts';
import type { FindHeaders } from '../../serve/request-context.ts';
import { planReplicaUse } from './plan-replica-use.ts';
import { positionHeaders } from './position-headers.ts';
import type { PositionCarrier } from './read-freshness.ts';
import { describeReplicaMetrics } from './replica-metrics.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { PRODUCT } from '../../contract/product.ts';
import { nameServers } from '../../postgres/connect/connection-string.ts';
import { connect, findSettingsFault } from '../../postgres/session/open-session.ts';
import { ReplicaSet } from './replica-set.ts';

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

/** Milliseconds to open the connection of a probe; a replica that slow may still serve reads. */
const CONNECT_TIMEOUT_MS = 5000;

function createReplicaSet(environment: ServiceEnvironment): ReplicaSet {
  const { config, primary, openServer, observe, reportsShared } = environment;
  const probing = { ...environment.connection, product: PRODUCT, isPreparing: false, timeout: CONNECT_TIMEOUT_MS };
  return new ReplicaSet({
    primary,
    connect: () => connect({ ...probing, targetSession: 'read-write' }),
    replicas: config.dbUriReplicas.map((connectionString) => ({
      name: nameServers(connectionString),
      server: openServer(connectionString),
      connect: () => connect({ ...probing, connectionString }),
    })),
    maxLagMs: config.dbReplicaMaxLag * 1000,
    waitMs: config.dbReplicaWait,
    onChange(replica, reason) {
      if (!reportsShared) return;
      observe(reason === undefined ? { kind: 'replicaJoined', replica } : { kind: 'replicaLeft', replica, reason });
    },
  });
}

/** Returns an error in the connection strings, or undefined if there is none. */
async function findReplicaFault(
  { dbUriReplicas }: AppConfig,
  { connection }: Pick<ServiceEnvironment, 'connection'>,
): Promise<string | undefined> {
  for (const connectionString of dbUriReplicas) {
    const fault = await findSettingsFault({ ...connection, product: PRODUCT, connectionString });
    if (fault !== undefined) return `db-uri-replicas: ${fault}`;
  }
  return undefined;
}
