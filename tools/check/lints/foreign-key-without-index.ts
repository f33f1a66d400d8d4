// Embeds along a foreign key, and deletes in the referenced table, scan the whole table.
import { type Lint, textOf } from './lint.ts';

export const FOREIGN_KEY_WITHOUT_INDEX: Lint = {
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
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: null,
      message: `The foreign key (${textOf(row, 'columns')}) has no index: embeds along it, and deletes in the referenced table, scan the whole table.`,
      fix: `CREATE INDEX ON ${textOf(row, 'object')} (${textOf(row, 'columns')});`,
    },
  ],
};
