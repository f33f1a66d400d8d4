// A view reads a table with policies as its owner, whom the policies do not restrict.
import { type Lint, textOf } from './lint.ts';
import { REACHED_TABLES } from './reached-tables.ts';

const ALLOWANCE = '-- rowhouse: allow view-bypasses-policies REASON';

/** `security_invoker` exists since PostgreSQL 15. A view below another one is reported if its owner reads for it. */
export const VIEW_BYPASSES_POLICIES: Lint = {
  name: 'view-bypasses-policies',
  level: 'warning',
  query: `${REACHED_TABLES}
SELECT relation.object, may.role, pg_catalog.string_agg(DISTINCT guarded.object, ', ') AS tables,
  pg_catalog.current_setting('server_version_num')::integer >= 150000 AS has_option
FROM relation
JOIN may ON may.oid = relation.oid AND (may.read OR may.insert OR may.update OR may.delete)
JOIN reads ON reads.view = relation.oid
JOIN guarded ON guarded.oid = reads.relation
JOIN pg_catalog.pg_roles AS owner ON owner.oid = relation.owner
WHERE relation.kind = 'v'
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_options_to_table(relation.reloptions)
    WHERE option_name = 'security_invoker' AND option_value::boolean
  )
  AND (owner.rolsuper OR owner.rolbypassrls
    OR (NOT guarded.is_forced AND pg_catalog.pg_has_role(relation.owner, guarded.owner, 'USAGE')))
GROUP BY 1, 2`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      message: `The view reads ${textOf(row, 'tables')} as its owner, so that the policies do not restrict the role. If it is meant to show their rows, write ${ALLOWANCE} above its statement.`,
      fix:
        row['has_option'] === true
          ? `ALTER VIEW ${textOf(row, 'object')} SET (security_invoker = true);`
          : '-- Views that read as the caller require PostgreSQL 15. Use a function without SECURITY DEFINER instead.',
    },
  ],
};
