// The SQL that lets the rows of tables be watched (`beyond.md` §3.1b): a publication, the privilege to replicate, and the
// level of the log.
import { quoteIdentifier, quoteShownIdentifier } from '../../contract/identifiers.ts';

export const LIVE_PUBLICATION = 'rowhouse_live';

export interface PublishableTable {
  readonly schema: string;
  readonly name: string;
  /** Whether UPDATE and DELETE still work once the table is published. */
  readonly hasIdentity: boolean;
}

export interface LiveSetup {
  readonly hasPublication: boolean;
  /** Tables that are not published yet. */
  readonly tables: readonly PublishableTable[];
}

/** Whether the log can contain the old key of a row of `leaf`: a condition on `pg_class`. */
export const HAS_IDENTITY_SQL: string = `(leaf.relreplident = 'f' OR EXISTS (
    SELECT FROM pg_catalog.pg_index AS key
    WHERE key.indrelid = leaf.oid AND key.indisvalid AND key.indimmediate
      AND CASE leaf.relreplident WHEN 'd' THEN key.indisprimary WHEN 'i' THEN key.indisreplident ELSE false END
  ))`;

/**
 * Parameters: the publication; the schemas, or null for all of them. The first row tells whether the publication exists,
 * each other row is a table that it lacks. Partitions are published with their root, by their own identities.
 */
export const LIVE_SETUP_SQL: string = `WITH publication AS (
  SELECT oid, pubname, puballtables FROM pg_catalog.pg_publication WHERE pubname = $1::text
)
SELECT NULL AS schema, NULL AS name, EXISTS (SELECT FROM publication) AS flag
UNION ALL
(SELECT namespace.nspname, class.relname, NOT EXISTS (
  SELECT FROM pg_catalog.pg_class AS leaf
  WHERE leaf.relkind IN ('r', 'p') AND NOT ${HAS_IDENTITY_SQL}
    AND (leaf.oid = class.oid OR leaf.oid IN (SELECT relid FROM pg_catalog.pg_partition_tree(class.oid)))
)
FROM pg_catalog.pg_class AS class
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
WHERE class.relkind IN ('r', 'p') AND NOT class.relispartition AND class.relpersistence = 'p'
  AND namespace.nspname !~ '^pg_' AND namespace.nspname <> 'information_schema'
  AND ($2::text[] IS NULL OR namespace.nspname = ANY ($2::text[]))
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend
    WHERE classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND objid = class.oid AND deptype = 'e'
  )
  AND NOT EXISTS (
    SELECT FROM publication
    WHERE publication.puballtables
      OR EXISTS (SELECT FROM pg_catalog.pg_publication_rel WHERE prpubid = publication.oid AND prrelid = class.oid)
      OR EXISTS (
        SELECT FROM pg_catalog.pg_publication_tables AS listed
        WHERE listed.pubname = publication.pubname
          AND listed.schemaname = namespace.nspname AND listed.tablename = class.relname
      )
  )
ORDER BY namespace.nspname, class.relname)`;

/** @param rows of `LIVE_SETUP_SQL`; `flag` is `t` or `f` */
export function decodeLiveSetup([first, ...tables]: readonly (readonly (string | null)[])[]): LiveSetup {
  return {
    hasPublication: first?.[2] === 't',
    tables: tables.map(([schema, name, flag]) => ({
      schema: schema ?? '',
      name: name ?? '',
      hasIdentity: flag === 't',
    })),
  };
}

/** @returns one statement per item; none if nothing is missing */
export function renderPublication({ hasPublication, tables }: LiveSetup): readonly string[] {
  const publication = quoteIdentifier(LIVE_PUBLICATION);
  const list = tables.filter(({ hasIdentity }) => hasIdentity).map(spellTable);
  const names = list.join(', ');
  if (hasPublication) return list.length === 0 ? [] : [`ALTER PUBLICATION ${publication} ADD TABLE ${names};`];
  return [`CREATE PUBLICATION ${publication}${list.length === 0 ? '' : ` FOR TABLE ${names}`};`];
}

export function spellTable({ schema, name }: Pick<PublishableTable, 'schema' | 'name'>): string {
  return `${quoteShownIdentifier(schema)}.${quoteShownIdentifier(name)}`;
}
