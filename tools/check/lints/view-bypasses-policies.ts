// A view reads a table with policies as its owner, whom the policies do not restrict.
import { escapeLine } from '../../../src/observe/escape-text.ts';
import { type Lint, textOf } from './lint.ts';
import { REACHED_TABLES } from './reached-tables.ts';

const ALLOWANCE = '-- rowhouse: allow view-bypasses-policies REASON';

/**
 * The view that names the table decides who reads it, even below others. `security_invoker` exists since PostgreSQL 15; a
 * materialized view never has it.
 */
export const VIEW_BYPASSES_POLICIES: Lint = {
  name: 'view-bypasses-policies',
  level: 'warning',
  query: `${REACHED_TABLES}, below(root, view) AS (
  SELECT oid, oid FROM relation WHERE kind = 'v'
  UNION
  SELECT below.root, uses.relation
  FROM below JOIN uses ON uses.view = below.view JOIN pg_catalog.pg_class AS class ON class.oid = uses.relation
  WHERE class.relkind IN ('v', 'm')
)
SELECT relation.object, may.role, reader.oid = relation.oid AS is_direct, reader.relkind = 'm' AS is_materialized,
  pg_catalog.format('%I.%I', home.nspname, reader.relname) AS reader,
  pg_catalog.string_agg(DISTINCT guarded.object, ', ') AS tables,
  pg_catalog.current_setting('server_version_num')::integer >= 150000 AS has_option
FROM relation
JOIN may ON may.oid = relation.oid AND (may.read OR may.insert OR may.update OR may.delete)
JOIN below ON below.root = relation.oid
JOIN pg_catalog.pg_class AS reader ON reader.oid = below.view
JOIN pg_catalog.pg_namespace AS home ON home.oid = reader.relnamespace
JOIN uses ON uses.view = reader.oid
JOIN guarded ON guarded.oid = uses.relation
JOIN pg_catalog.pg_roles AS owner ON owner.oid = reader.relowner
WHERE NOT EXISTS (
    SELECT FROM pg_catalog.pg_options_to_table(reader.reloptions)
    WHERE option_name = 'security_invoker' AND option_value::boolean
  )
  AND (owner.rolsuper OR owner.rolbypassrls
    OR (NOT guarded.is_forced AND pg_catalog.pg_has_role(reader.relowner, guarded.owner, 'USAGE')))
GROUP BY relation.oid, relation.object, may.role, reader.oid, reader.relkind, reader.relname, home.nspname
ORDER BY relation.object, reader`,
  read: (row) => {
    const [reader, tables] = [textOf(row, 'reader'), textOf(row, 'tables')];
    const way =
      row['is_direct'] === true ? `${tables} as its owner` : `${tables} through ${reader}, as the owner of that`;
    return [
      {
        object: textOf(row, 'object'),
        role: textOf(row, 'role'),
        message: `The view reads ${way}, so that the policies do not restrict the role.`,
        advice: `If it is meant to show their rows, write ${ALLOWANCE} above its statement.`,
        fix: describeFix(reader, row['is_materialized'] === true, row['has_option'] === true),
      },
    ];
  },
};

function describeFix(reader: string, isMaterialized: boolean, hasOption: boolean): string {
  if (isMaterialized) return `-- Keep only rows in ${escapeLine(reader)} that everybody may see who may read the view.`;
  if (hasOption) return `ALTER VIEW ${reader} SET (security_invoker = true);`;
  return '-- Views that read as the caller require PostgreSQL 15. Use a function without SECURITY DEFINER instead.';
}
