// Checks what live rows require, if `live-publication` is set.
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { HAS_IDENTITY_SQL } from '../../../src/extensions/live/publication.ts';
import type { Check, Finding } from './check.ts';

export const LIVE_SETUP: Check = {
  query: `
SELECT login.name, pg_catalog.current_setting('wal_level'),
  (SELECT rolreplication OR rolsuper FROM pg_catalog.pg_roles WHERE oid = login.oid),
  (SELECT pubviaroot FROM pg_catalog.pg_publication WHERE pubname = stated.publication)
FROM stated CROSS JOIN login`,
  read: ([row], { livePublication, liveDbUri }) => {
    if (row === undefined || livePublication === undefined) return [];
    const [login, level, mayReplicate, viaRoot] = row;
    return [
      ...(level === 'logical' ? [] : [LEVEL]),
      ...(viaRoot === null ? [describeMissing(livePublication)] : []),
      ...(viaRoot === 't' ? [describeRoot(livePublication)] : []),
      // Another login cannot be checked with this connection.
      ...(mayReplicate === 't' || liveDbUri !== undefined ? [] : [describeLogin(login ?? '')]),
    ];
  },
};

const LEVEL: Finding = {
  severity: 'error',
  code: 'live-wal-level',
  object: 'wal_level',
  why: 'The log does not contain changes of rows, so no read can be watched. PostgreSQL must be restarted.',
  mend: 'ALTER SYSTEM SET wal_level = logical;',
};

function describeMissing(publication: string): Finding {
  return {
    severity: 'error',
    code: 'live-publication-missing',
    object: publication,
    why: 'The publication of live-publication does not exist, so no read can be watched. Add the tables to watch.',
    mend: `CREATE PUBLICATION ${quoteIdentifier(publication)};`,
  };
}

function describeRoot(publication: string): Finding {
  return {
    severity: 'error',
    code: 'live-publication-root',
    object: publication,
    why: 'The publication reports partitions as their root, so no read can be watched.',
    mend: `ALTER PUBLICATION ${quoteIdentifier(publication)} SET (publish_via_partition_root = false);`,
  };
}

function describeLogin(login: string): Finding {
  return {
    severity: 'error',
    code: 'live-without-replication',
    object: login,
    why: 'The login role may not replicate and live-db-uri names no other, so no read can be watched.',
    mend: `ALTER ROLE ${quoteIdentifier(login)} REPLICATION;`,
    caution: 'the role could then read every change of the database.',
  };
}

export const LIVE_IDENTITIES: Check = {
  query: `
SELECT DISTINCT listed.schemaname, listed.tablename
FROM stated
JOIN pg_catalog.pg_publication_tables AS listed ON listed.pubname = stated.publication
JOIN pg_catalog.pg_publication AS publication ON publication.pubname = listed.pubname
  AND (publication.pubupdate OR publication.pubdelete)
JOIN pg_catalog.pg_namespace AS namespace ON namespace.nspname = listed.schemaname
JOIN pg_catalog.pg_class AS leaf ON leaf.relnamespace = namespace.oid AND leaf.relname = listed.tablename
WHERE NOT ${HAS_IDENTITY_SQL}
ORDER BY listed.schemaname, listed.tablename`,
  read: (rows) =>
    rows.map(([schema, name]) => ({
      severity: 'error',
      code: 'live-table-without-identity',
      object: `${schema ?? ''}.${name ?? ''}`,
      why: 'UPDATE and DELETE of this table fail, because it is published and has no replica identity.',
      mend: `ALTER TABLE ${quoteIdentifier(schema ?? '')}.${quoteIdentifier(name ?? '')} REPLICA IDENTITY FULL;`,
    })),
};
