// Creates the replicas from the configuration, each with a pool like that of the primary.
import type { AppConfig } from '../../config/table/app-config.ts';
import { PRODUCT } from '../../contract/product.ts';
import { nameServers } from '../../postgres/connect/connection-string.ts';
import { connect, findSettingsFault } from '../../postgres/session/open-session.ts';
import type { ServiceEnvironment } from '../../serve/extension.ts';
import { ReplicaSet } from './replica-set.ts';

/** Milliseconds to open the connection of a probe; a replica that slow may still serve reads. */
const CONNECT_TIMEOUT_MS = 5000;

export function createReplicaSet(environment: ServiceEnvironment): ReplicaSet {
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
export async function findReplicaFault(
  { dbUriReplicas }: AppConfig,
  { connection }: Pick<ServiceEnvironment, 'connection'>,
): Promise<string | undefined> {
  for (const connectionString of dbUriReplicas) {
    const fault = await findSettingsFault({ ...connection, product: PRODUCT, connectionString });
    if (fault !== undefined) return `db-uri-replicas: ${fault}`;
  }
  return undefined;
}
