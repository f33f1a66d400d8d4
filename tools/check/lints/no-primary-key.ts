// The rows of a table without a primary key have no address: the explorer cannot edit them, and upserts have no target.
import { type Lint, textOf } from './lint.ts';

export const NO_PRIMARY_KEY: Lint = {
  name: 'no-primary-key',
  level: 'note',
  query: `
SELECT relation.object FROM relation
WHERE relation.kind IN ('r', 'p')
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_class AS class WHERE class.oid = relation.oid AND class.relispartition)
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_constraint AS key WHERE key.conrelid = relation.oid AND key.contype = 'p')`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: null,
      message: 'The table has no primary key, so that no request can address one of its rows.',
      fix: null,
    },
  ],
};
