// What is served, and its keys and indexes.
import type { Lint } from './lint.ts';

export const TABLE_LINTS: readonly Lint[] = [
  {
    // The index of a constraint remains, otherwise the one whose name comes first.
    name: 'duplicate-index',
    level: 'note',
    query: `, candidate AS (
  SELECT relation.object, index.indexrelid, class.relname AS name, namespace.nspname AS schema,
    EXISTS (SELECT FROM pg_catalog.pg_constraint AS own WHERE own.conindid = index.indexrelid) AS is_constraint,
    index.indisunique,
    pg_catalog.concat_ws('|', index.indrelid, class.relam, index.indkey, index.indclass, index.indcollation,
      index.indoption, index.indnkeyatts, pg_catalog.pg_get_expr(index.indexprs, index.indrelid),
      pg_catalog.pg_get_expr(index.indpred, index.indrelid)) AS shape
  FROM relation
  JOIN pg_catalog.pg_index AS index ON index.indrelid = relation.oid AND index.indisvalid
  JOIN pg_catalog.pg_class AS class ON class.oid = index.indexrelid
  JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
)
SELECT extra.object, pg_catalog.format('%I.%I', extra.schema, extra.name) AS index, pg_catalog.quote_ident(kept.name) AS kept
FROM candidate AS extra
CROSS JOIN LATERAL (
  SELECT other.name FROM candidate AS other
  WHERE other.shape = extra.shape AND other.indexrelid <> extra.indexrelid
    AND (other.is_constraint, other.indisunique, extra.name) > (extra.is_constraint, extra.indisunique, other.name)
  ORDER BY other.is_constraint DESC, other.indisunique DESC, other.name LIMIT 1
) AS kept
WHERE NOT extra.is_constraint`,
    message: 'The index {index} is the same as {kept}.',
    fix: 'DROP INDEX {index};',
  },
  {
    name: 'foreign-key-without-index',
    level: 'note',
    query: `
SELECT relation.object, (
    SELECT pg_catalog.string_agg(pg_catalog.quote_ident(attribute.attname), ', ' ORDER BY place)
    FROM pg_catalog.unnest(key.conkey) WITH ORDINALITY AS own(number, place)
    JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = relation.oid AND attribute.attnum = own.number
  ) AS columns
FROM relation
JOIN pg_catalog.pg_constraint AS key ON key.conrelid = relation.oid AND key.contype = 'f' AND key.conparentid = 0
WHERE NOT EXISTS (
  SELECT FROM pg_catalog.pg_index AS index
  WHERE index.indrelid = relation.oid AND index.indisvalid AND index.indpred IS NULL
    AND (index.indkey::int2[])[0:pg_catalog.cardinality(key.conkey) - 1] @> key.conkey
)
ORDER BY key.conname`,
    message:
      'The foreign key ({columns}) has no index: embeds along it, and deletes in the referenced table, scan the whole table.',
    fix: 'CREATE INDEX ON {object} ({columns});',
  },
  {
    name: 'no-primary-key',
    level: 'note',
    query: `
SELECT object FROM relation
WHERE kind IN ('r', 'p') AND NOT relispartition
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS key WHERE key.conrelid = relation.oid AND key.contype = 'p')`,
    message: 'The table has no primary key, so that no request can address one of its rows.',
  },
  {
    name: 'nothing-to-serve',
    level: 'warning',
    query: `
SELECT pg_catalog.format('db-schemas (%I)', listed.name) AS object, pg_catalog.quote_ident(listed.name) AS missing
FROM stated CROSS JOIN LATERAL pg_catalog.unnest(stated.schemas) AS listed(name)
WHERE listed.name NOT IN (SELECT name FROM exposed)`,
    message: 'The schema {missing} does not exist, so the server does not start.',
    fix: 'CREATE SCHEMA {missing};',
  },
  {
    // An empty database is not reported: its tables do not exist yet.
    name: 'nothing-to-serve',
    level: 'warning',
    query: `
SELECT pg_catalog.concat('db-schemas (', listed.schemas, ')') AS object, listed.schemas, other.name AS other
FROM stated CROSS JOIN LATERAL pg_catalog.array_to_string(stated.schemas, ', ') AS listed(schemas)
CROSS JOIN LATERAL (
  SELECT pg_catalog.quote_ident(schema_name) AS name FROM own_relation
  WHERE schema_name !~ '^pg_' AND schema_name NOT IN ('information_schema', 'rowhouse')
  GROUP BY 1
  ORDER BY pg_catalog.count(*) DESC, 1
  LIMIT 1
) AS other
WHERE EXISTS (SELECT FROM exposed) AND NOT EXISTS (SELECT FROM relation)
  AND NOT EXISTS (SELECT FROM routine WHERE routine.is_exposed)`,
    message: 'The API has no routes, but the schema {other} has tables.',
    fix: '-- Set db-schemas to {other}, or create views and functions in {schemas}.',
  },
];
