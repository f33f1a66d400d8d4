// Finds views that read tables with row-level security as the view owner, so the caller's policies do not apply.
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import type { Check, Finding } from './check.ts';

/** Covers exposed views and the views they are built on. The option exists since PostgreSQL 15. */
const query = `, uses(view, relation) AS (
  SELECT rewrite.ev_class, depend.refobjid
  FROM pg_catalog.pg_rewrite AS rewrite
  JOIN pg_catalog.pg_class AS class ON class.oid = rewrite.ev_class AND class.relkind = 'v' AND class.oid >= 16384
  JOIN pg_catalog.pg_depend AS depend
    ON depend.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND depend.objid = rewrite.oid
    AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid <> rewrite.ev_class
), reaches(view, relation) AS (
  SELECT view, relation FROM uses
  UNION
  SELECT reaches.view, uses.relation FROM reaches JOIN uses ON uses.view = reaches.relation
), served AS (
  SELECT class.oid
  FROM exposed JOIN pg_catalog.pg_class AS class ON class.relnamespace = exposed.oid AND class.relkind = 'v'
  WHERE EXISTS (SELECT FROM role WHERE pg_catalog.has_any_column_privilege(role.oid, class.oid, 'SELECT'))
)
SELECT pg_catalog.format('%I.%I', namespace.nspname, class.relname),
  pg_catalog.string_agg(pg_catalog.format('%I.%I', home.nspname, protected.relname), ', ' ORDER BY 1),
  pg_catalog.current_setting('server_version_num')::integer >= 150000
FROM pg_catalog.pg_class AS class
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
JOIN reaches ON reaches.view = class.oid
JOIN pg_catalog.pg_class AS protected ON protected.oid = reaches.relation AND protected.relrowsecurity
JOIN pg_catalog.pg_namespace AS home ON home.oid = protected.relnamespace
WHERE NOT EXISTS (
    SELECT FROM pg_catalog.pg_options_to_table(class.reloptions)
    WHERE option_name = 'security_invoker' AND option_value::boolean
  )
  AND (class.oid IN (SELECT oid FROM served)
    OR class.oid IN (SELECT reaches.relation FROM reaches JOIN served ON served.oid = reaches.view))
GROUP BY class.oid, namespace.nspname, class.relname
ORDER BY 1`;

export const VIEWS: Check = { query, read: (rows) => rows.map(describeView) };

function describeView([view, tables, hasOption]: TextRow): Finding {
  const object = view ?? '';
  return {
    severity: 'error',
    code: 'view-bypasses-policies',
    object,
    why: `The view reads ${tables ?? ''} as its owner, so the policies of those tables do not apply to the caller.`,
    mend:
      hasOption === 't'
        ? `ALTER VIEW ${object} SET (security_invoker = true);`
        : `DROP VIEW ${object};\n-- Views that read as the caller require PostgreSQL 15. Use a function without SECURITY DEFINER instead.`,
  };
}
