// The database that a project describes, made to be examined.
import type { Client } from 'pg';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import type { Outcome } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { buildDatabase } from '../project/run/build-database.ts';
import { readProjectScope } from '../project/run/web-roles.ts';
import { type ScratchCluster, withScratchCluster } from './scratch-server.ts';

export interface BuiltProject {
  readonly scratch: ScratchCluster;
  readonly client: Client;
  readonly uri: string;
  readonly config: AppConfig;
  /** The web roles. */
  readonly roles: readonly string[];
}

/** Makes the database in a PostgreSQL that exists only while `work` runs. */
export function withBuiltProject<T>(
  project: Project,
  hasSeed: boolean,
  work: (built: BuiltProject) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  return withScratchCluster((scratch) =>
    scratch.withNewDatabase(async (client, uri) => {
      const built = await buildDatabase(project, client, { roles: 'all', hasSeed });
      if (!built.ok) return built;
      const scope = await readProjectScope(client, project);
      return scope.ok ? work({ scratch, client, uri, ...scope.value }) : scope;
    }),
  );
}
