// What a serving command serves, with hooks for the banner, the schema watch and the embedded database.
import type { ConfigLocation } from '../../service/configuration/read-config.ts';
import { hasExplorer, renderUrl } from './describe-server.ts';
import { renderServeBanner } from './serve-banner.ts';
import type { RowhouseServer, RowhouseServerOptions } from '../../server/rowhouse-server.ts';

export interface ServePlan {
  readonly location: ConfigLocation;
  /** Routes of the command besides the API. */
  readonly routes?: RowhouseServerOptions['routes'];
  /** The key of the SQL console; undefined: there is no console. */
  readonly consoleKey?: string | undefined;
  /** Called when the server listens. @returns a text to print, if any */
  onListening(server: RowhouseServer): string | undefined;
  /** Called after each load of the schema. @param startedAt start of the load, in milliseconds since 1970 */
  onSchemaLoaded(startedAt: number): void;
  /** Called when the server has ended. */
  onEnded(): Promise<void>;
}

/** Serves an existing database. Only people get a banner: access logs may be all that a program expects. */
export function createDatabasePlan(location: ConfigLocation): ServePlan {
  return {
    location,
    onListening: (server) => (process.stdout.isTTY ? describeService(server) : undefined),
    onSchemaLoaded: () => undefined,
    onEnded: () => Promise.resolve(),
  };
}

function describeService({ apiAddress = '', service }: RowhouseServer): string {
  const { dbSchemas: schemas, dbAnonRole: anonRole } = service.config;
  const place = apiAddress.startsWith('/') ? apiAddress : renderUrl(apiAddress);
  const isExposed = !/^(?:\/|127\.|\[::1\])/u.test(apiAddress);
  return renderServeBanner({ place, schemas, anonRole, hasExplorer: hasExplorer(service.config), isExposed });
}
