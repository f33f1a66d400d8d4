// A function in SQL returns rows of a distributed table. PostgreSQL puts its body into the query after Citus has looked for
// distributed tables there, and so reads the coordinator's own table, which is empty.
import { DISTRIBUTED } from './distributed-tables.ts';
import { type Lint, textOf } from './lint.ts';
import { REACHED_TABLES } from './reached-tables.ts';
import { ROUTINES } from './routines.ts';

/**
 * The functions whose bodies PostgreSQL inlines, and of these those that name a distributed table or a view of one. The body
 * is a text, which PostgreSQL does not resolve.
 */
export const FUNCTION_MISSES_SHARDS: Lint = {
  name: 'function-misses-shards',
  level: 'warning',
  query: `${ROUTINES}${REACHED_TABLES}${DISTRIBUTED}
SELECT routine.object, pg_catalog.min(named.object) AS relation
FROM routine
JOIN pg_catalog.pg_proc AS proc ON proc.oid = routine.oid AND proc.prokind = 'f' AND proc.proretset
  AND proc.provolatile <> 'v' AND NOT proc.proisstrict AND NOT proc.prosecdef AND proc.proconfig IS NULL
JOIN pg_catalog.pg_language AS language ON language.oid = proc.prolang AND language.lanname = 'sql'
JOIN (
  SELECT pg_catalog.format('%I.%I', namespace.nspname, class.relname) AS object,
    '\\m' || pg_catalog.regexp_replace(class.relname, '\\W', '.', 'g') || '\\M' AS pattern
  FROM (SELECT oid FROM distributed UNION SELECT reads.view FROM reads JOIN distributed ON distributed.oid = reads.relation) AS any_relation
  JOIN pg_catalog.pg_class AS class ON class.oid = any_relation.oid
  JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
) AS named ON coalesce(pg_catalog.pg_get_function_sqlbody(proc.oid), proc.prosrc) ~* named.pattern
WHERE routine.is_exposed
GROUP BY routine.object
ORDER BY routine.object`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: null,
      message: `PostgreSQL puts the body of this function into the query after Citus has looked for distributed tables such as ${textOf(row, 'relation')} there, so it can find no rows or fail.`,
      fix: `ALTER FUNCTION ${textOf(row, 'object')} SET row_security = on;\n-- The setting is the usual one. A function with a setting runs by itself, as one in PL/pgSQL does.`,
    },
  ],
};
