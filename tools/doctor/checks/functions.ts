// Finds SECURITY DEFINER functions that resolve names through the caller's search path, so that the caller's objects
// run as the owner.
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import type { Check, Finding } from './check.ts';

/** Excludes functions with a SQL-standard body, whose names are resolved when they are created. */
const query = `
SELECT pg_catalog.format(
    '%I.%I(%s)', namespace.nspname, proc.proname, pg_catalog.pg_get_function_identity_arguments(proc.oid)),
  pg_catalog.quote_ident(namespace.nspname)
FROM pg_catalog.pg_proc AS proc
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = proc.pronamespace
WHERE proc.prosecdef AND proc.prosqlbody IS NULL
  AND namespace.nspname !~ '^pg_' AND namespace.nspname <> 'information_schema'
  AND NOT EXISTS (SELECT FROM pg_catalog.unnest(proc.proconfig) AS entry WHERE entry ^@ 'search_path=')
  AND EXISTS (SELECT FROM role WHERE pg_catalog.has_function_privilege(role.oid, proc.oid, 'EXECUTE'))
  AND ('pg_catalog.pg_proc'::pg_catalog.regclass, proc.oid) NOT IN (SELECT classid, objid FROM extension_object)
ORDER BY 1`;

export const FUNCTIONS: Check = { query, read: (rows) => rows.map(describeFunction) };

function describeFunction([signature, schema]: TextRow): Finding {
  const object = signature ?? '';
  return {
    severity: 'error',
    code: 'definer-search-path',
    object,
    why: 'The function runs as its owner but resolves names through the search path of its caller, who can change it.',
    mend: `ALTER ROUTINE ${object} SET search_path = pg_catalog, ${schema ?? ''}, pg_temp;`,
  };
}
