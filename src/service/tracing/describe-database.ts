// The attributes of database spans that are the same for all of them.
import { parseConnectionString } from '../../postgres/connect/connection-string.ts';

export interface DatabaseLocation {
  readonly connectionString: string;
  /** `PG*` variables complete the connection string. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type DatabaseAttributes = Readonly<Record<string, string | number>>;

/** Leaves out what only a connection knows: which of several hosts it reached. */
export function describeDatabase({ connectionString, environment }: DatabaseLocation): DatabaseAttributes {
  const parsed = parseConnectionString(connectionString);
  const valueOf = (name: string, variable: string): string | undefined =>
    (parsed.ok ? parsed.value.get(name) : undefined) ?? environment[variable];
  const host = valueOf('host', 'PGHOST');
  const port = Number(valueOf('port', 'PGPORT') ?? 5432);
  const database = valueOf('dbname', 'PGDATABASE');
  return {
    'db.system.name': 'postgresql',
    ...(database === undefined ? {} : { 'db.namespace': database }),
    ...(host === undefined || host.includes(',') ? {} : { 'server.address': host }),
    ...(host === undefined || Number.isNaN(port) ? {} : { 'server.port': port }),
  };
}
