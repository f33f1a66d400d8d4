// Which tables Citus distributes over servers, and by which column.

/** A statement of its own, which is not run without Citus: PostgreSQL then knows no such table. */
const PARTITIONS = `SELECT logicalrelid::pg_catalog.oid AS oid, pg_catalog.substring(partkey, ':varattno ([0-9]+)') AS attnum
  FROM pg_catalog.pg_dist_partition WHERE partmethod <> 'n' OR repmodel = 't' OR colocationid <> 0`;

/** Table expression `distributed(oid, attnum)`; tables of which each server has all rows are not distributed by a column. */
export const DISTRIBUTED: string = `, distributed AS (
  SELECT entry[1]::pg_catalog.oid AS oid, entry[2]::pg_catalog.int2 AS attnum
  FROM pg_catalog.regexp_matches(
    CASE WHEN pg_catalog.to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL
      THEN pg_catalog.query_to_xml($query$${PARTITIONS}$query$, false, false, '')::pg_catalog.text END,
    '<oid>([0-9]+)</oid>\\s*(?:<attnum>([0-9]+)</attnum>)?', 'g') AS entry
)`;
