// Starts one Citus cluster for the whole run and stops it at the end of the run.
import type { TestProject } from 'vitest/node';
import { CitusCluster } from './citus-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser connections to the database `postgres`, on the coordinator and on each worker. */
    readonly citusNodes: readonly string[];
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await CitusCluster.start();
  // A database of the coordinator without the extension behaves as one of plain PostgreSQL.
  project.provide('databaseUri', cluster.coordinator.uri);
  project.provide('databaseStrategy', '');
  project.provide(
    'citusNodes',
    cluster.nodes.map((node) => node.uri),
  );
  return () => cluster.stop();
}
