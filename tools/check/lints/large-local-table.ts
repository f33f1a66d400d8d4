// A table of more than a million rows that is not distributed, beside some that are.
import { DISTRIBUTED } from './distributed-tables.ts';
import { type Lint, textOf } from './lint.ts';

const LARGE = 1_000_000;

export const LARGE_LOCAL_TABLE: Lint = {
  name: 'large-local-table',
  level: 'warning',
  query: `${DISTRIBUTED}
SELECT relation.object, pg_catalog.round(class.reltuples)::pg_catalog.text AS rows
FROM relation JOIN pg_catalog.pg_class AS class ON class.oid = relation.oid
WHERE class.relkind = 'r' AND class.reltuples > ${LARGE}
  AND EXISTS (SELECT FROM distributed) AND NOT EXISTS (SELECT FROM distributed WHERE distributed.oid = relation.oid)
ORDER BY relation.object`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: null,
      message: `All of its rows, about ${textOf(row, 'rows')}, are on the coordinator.`,
      fix: `-- Distribute it by the column of the tenant: SELECT create_distributed_table('${textOf(row, 'object').replaceAll("'", "''")}', 'tenant_id');`,
    },
  ],
};
