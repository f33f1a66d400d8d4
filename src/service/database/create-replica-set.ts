// Creates the replicas from the configuration, each with a pool like that of the primary.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Logger } from '../../observe/logger.ts';
import type { Observe } from '../../observe/observation.ts';
import { nameServers } from '../../postgres/connect/connection-string.ts';
import { connect, findSettingsFault } from '../../postgres/session/open-session.ts';
import { ReplicaSet, type ReplicaSetOptions } from '../../postgres/replicas/replica-set.ts';
import type { ScriptRunner } from '../../postgres/pool/pool.ts';
import { type ConnectionOptions, createPool, type PoolDependencies, createScriptRunner } from './create-pool.ts';

export interface ReplicaDependencies extends Pick<PoolDependencies, 'extensions'> {
  /** Settings of the connection to the primary. */
  readonly connection: ConnectionOptions;
  readonly logger: Logger;
  readonly observe: Observe;
}

/** Milliseconds to open the connection of a probe; a replica that slow may still serve reads. */
const CONNECT_TIMEOUT_MS = 5000;

export function createReplicaSet(
  config: AppConfig,
  primary: ScriptRunner,
  dependencies: ReplicaDependencies,
): ReplicaSet | undefined {
  if (config.dbUriReplicas.length === 0) return undefined;
  const { connection, observe } = dependencies;
  const probing = { ...connection, isPreparing: false, timeout: CONNECT_TIMEOUT_MS };
  return new ReplicaSet({
    primary,
    connect: () => connect({ ...probing, targetSession: 'read-write' }),
    replicas: config.dbUriReplicas.map((uri) => createReplica(config, uri, dependencies)),
    maxLagMs: config.dbReplicaMaxLag * 1000,
    waitMs: config.dbReplicaWait,
    onChange: (replica, reason) =>
      observe(reason === undefined ? { kind: 'replicaJoined', replica } : { kind: 'replicaLeft', replica, reason }),
  });
}

/** Returns an error in the connection strings, or undefined if there is none. */
export async function findReplicaFault(config: AppConfig, connection: ConnectionOptions): Promise<string | undefined> {
  for (const connectionString of config.dbUriReplicas) {
    const fault = await findSettingsFault({ ...connection, connectionString });
    if (fault !== undefined) return `db-uri-replicas: ${fault}`;
  }
  return undefined;
}

function createReplica(
  config: AppConfig,
  connectionString: string,
  { connection, logger, extensions, observe }: ReplicaDependencies,
): ReplicaSetOptions['replicas'][number] {
  const own = { ...connection, connectionString };
  const onShortage = (error: ApiError): void => observe({ kind: 'connectionLimitReached', error });
  const pool = createPool(config, { connection: own, logger, extensions, onShortage });
  return {
    name: nameServers(connectionString),
    pool,
    runner: createScriptRunner(config, pool),
    connect: () => connect({ ...own, isPreparing: false, timeout: CONNECT_TIMEOUT_MS }),
  };
}
