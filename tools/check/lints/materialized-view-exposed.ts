// A materialized view holds rows of a table with policies, and has no policies itself.
import { type Lint, textOf } from './lint.ts';
import { REACHED_TABLES } from './reached-tables.ts';

export const MATERIALIZED_VIEW_EXPOSED: Lint = {
  name: 'materialized-view-exposed',
  level: 'warning',
  query: `${REACHED_TABLES}
SELECT relation.object, may.role, pg_catalog.string_agg(DISTINCT guarded.object, ', ') AS tables
FROM relation
JOIN may ON may.oid = relation.oid AND may.read
JOIN reads ON reads.view = relation.oid
JOIN guarded ON guarded.oid = reads.relation
WHERE relation.kind = 'm'
GROUP BY 1, 2`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      message: `The materialized view holds rows of ${textOf(row, 'tables')}, whose policies do not apply to it.`,
      fix: `REVOKE SELECT ON ${textOf(row, 'object')} FROM ${textOf(row, 'role')};`,
    },
  ],
};
