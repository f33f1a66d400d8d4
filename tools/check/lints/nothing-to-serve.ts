// An exposed schema does not exist, or all of them are empty although another schema has tables.
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { type Lint, textOf } from './lint.ts';
import { ROUTINES } from './routines.ts';

/** An empty database is not reported: its tables do not exist yet. */
export const NOTHING_TO_SERVE: Lint = {
  name: 'nothing-to-serve',
  level: 'warning',
  query: `${ROUTINES}
SELECT pg_catalog.quote_ident(listed.name) AS missing, NULL AS schemas, NULL AS other
FROM stated CROSS JOIN LATERAL pg_catalog.unnest(stated.schemas) AS listed(name)
WHERE listed.name NOT IN (SELECT name FROM exposed)
UNION ALL
SELECT NULL, pg_catalog.array_to_string(stated.schemas, ', '), other.name
FROM stated CROSS JOIN LATERAL (
  SELECT pg_catalog.quote_ident(namespace.nspname) AS name
  FROM pg_catalog.pg_class AS class JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
  WHERE class.relkind IN ('r', 'p', 'v', 'm', 'f') AND namespace.nspname !~ '^pg_'
    AND namespace.nspname NOT IN ('information_schema', 'rowhouse')
    AND ('pg_catalog.pg_class'::pg_catalog.regclass, class.oid) NOT IN (SELECT classid, objid FROM extension_object)
  GROUP BY 1
  ORDER BY pg_catalog.count(*) DESC, 1
  LIMIT 1
) AS other
WHERE EXISTS (SELECT FROM exposed) AND NOT EXISTS (SELECT FROM relation)
  AND NOT EXISTS (SELECT FROM routine WHERE routine.is_exposed)`,
  read: (row) => {
    const [missing, schemas, other] = [textOf(row, 'missing'), textOf(row, 'schemas'), textOf(row, 'other')];
    return [
      missing === ''
        ? {
            object: `db-schemas (${schemas})`,
            role: null,
            message: `The API has no routes, but the schema ${other} has tables.`,
            fix: `-- Set db-schemas to ${escapeLine(other)}, or create views and functions in ${escapeLine(schemas)}.`,
          }
        : {
            object: `db-schemas (${missing})`,
            role: null,
            message: `The schema ${missing} does not exist, so the server does not start.`,
            fix: `CREATE SCHEMA ${missing};`,
          },
    ];
  },
};
