// A SECURITY DEFINER function resolves names through the search path of its caller, whose objects then run as the owner.
import { type Lint, textOf } from './lint.ts';
import { ROUTINES } from './routines.ts';

/** Names in a SQL-standard body are resolved when the function is created. */
export const DEFINER_SEARCH_PATH: Lint = {
  name: 'definer-search-path',
  level: 'warning',
  query: `${ROUTINES}
SELECT routine.object, role.name AS role, routine.schema
FROM routine JOIN role ON pg_catalog.has_function_privilege(role.oid, routine.oid, 'EXECUTE')
  AND pg_catalog.has_schema_privilege(role.oid, routine.schema_oid, 'USAGE')
WHERE routine.is_definer AND NOT routine.is_resolved
  AND NOT EXISTS (SELECT FROM pg_catalog.unnest(routine.config) AS entry WHERE entry ^@ 'search_path=')`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      message: 'The function runs as its owner, but resolves names through the search path of its caller.',
      fix: `ALTER ROUTINE ${textOf(row, 'object')} SET search_path = pg_catalog, ${textOf(row, 'schema')}, pg_temp;`,
    },
  ],
};
