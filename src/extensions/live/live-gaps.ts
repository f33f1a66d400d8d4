// Finds out whether the database can report changes of rows, if live responses are configured. Says in sentences what is
// missing, with the SQL that fixes it.
import type { AppConfig } from '../../config/table/app-config.ts';
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { RunQuery } from '../../serve/extension.ts';

type LiveGap = 'walLevel' | 'publication' | 'partitionRoot' | 'replication';

const LIVE_QUERY = `SELECT session_user, pg_catalog.current_setting('wal_level') = 'logical',
  (SELECT rolreplication OR rolsuper FROM pg_catalog.pg_roles WHERE rolname = session_user),
  (SELECT pubviaroot FROM pg_catalog.pg_publication WHERE pubname = $1::text)`;

/** Finds nothing if live responses are off, or if the query fails. */
export async function findLiveGaps(
  query: RunQuery,
  { livePublication, liveDbUri }: Pick<AppConfig, 'livePublication' | 'liveDbUri'>,
): Promise<readonly string[]> {
  if (livePublication === undefined) return [];
  const reply = await query(LIVE_QUERY, [livePublication]);
  const row = reply.ok ? reply.value[0] : undefined;
  if (row === undefined) return [];
  const [loginRole, isLogical, mayReplicate, viaRoot] = row;
  const gaps: readonly (LiveGap | undefined)[] = [
    isLogical === 't' ? undefined : 'walLevel',
    viaRoot === null ? 'publication' : undefined,
    viaRoot === 't' ? 'partitionRoot' : undefined,
    // Another login cannot be checked with this connection.
    mayReplicate === 't' || liveDbUri !== undefined ? undefined : 'replication',
  ];
  return gaps.flatMap((gap) => (gap === undefined ? [] : [describeLiveGap(gap, livePublication, loginRole ?? '')]));
}

function describeLiveGap(gap: LiveGap, publication: string, loginRole: string): string {
  const name = quoteIdentifier(publication);
  const subject = 'No read can be watched:';
  switch (gap) {
    case 'walLevel':
      return `${subject} wal_level is not logical. ALTER SYSTEM SET wal_level = logical; and restart PostgreSQL`;
    case 'publication':
      return (
        `${subject} the publication ${publication} of live-publication does not exist. ` +
        `CREATE PUBLICATION ${name} FOR TABLE ...;`
      );
    case 'partitionRoot':
      return (
        `${subject} the publication ${publication} of live-publication reports partitions as their root. ` +
        `ALTER PUBLICATION ${name} SET (publish_via_partition_root = false);`
      );
    case 'replication':
      return (
        `${subject} the login role ${loginRole} may not replicate. ` +
        `ALTER ROLE ${quoteIdentifier(loginRole)} REPLICATION; or set live-db-uri`
      );
  }
}
