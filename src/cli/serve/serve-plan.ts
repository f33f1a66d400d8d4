// What a serving command serves, and what goes with it: an embedded database, words to the user, a watch over the schema.
import type { ConfigLocation } from '../../service/configuration/read-config.ts';
import type { RowhouseServer } from '../../server/rowhouse-server.ts';

export interface ServePlan {
  readonly location: ConfigLocation;
  /** Called when the server listens. @returns what to tell the user, if anything */
  onListening(server: RowhouseServer): string | undefined;
  /** Called after each load of the schema. @param begun milliseconds since 1970 */
  onSchemaLoaded(begun: number): void;
  /** Called when the server has ended. */
  onEnded(): Promise<void>;
}

/** A database that others look after. */
export function createDatabasePlan(location: ConfigLocation): ServePlan {
  return {
    location,
    onListening: () => undefined,
    onSchemaLoaded: () => undefined,
    onEnded: () => Promise.resolve(),
  };
}
