// Two indexes of a table are the same, so each write pays for one that no query needs.
import { type Lint, textOf } from './lint.ts';

/** The one that belongs to a constraint stays, else the one whose name comes first. */
export const DUPLICATE_INDEX: Lint = {
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
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: null,
      message: `The index ${textOf(row, 'index')} is the same as ${textOf(row, 'kept')}.`,
      fix: `DROP INDEX ${textOf(row, 'index')};`,
    },
  ],
};
