// Finds exposed tables without row-level security that roles can only read; `rls-off` reports those that they can write.
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import type { Check, Finding } from './check.ts';

const query = `
SELECT pg_catalog.format('%I.%I', exposed.name, class.relname),
  pg_catalog.string_agg(role.name, ', ' ORDER BY role.name) FILTER (WHERE can.read)
FROM exposed
JOIN pg_catalog.pg_class AS class ON class.relnamespace = exposed.oid
CROSS JOIN role
CROSS JOIN LATERAL (
  SELECT pg_catalog.has_table_privilege(role.oid, class.oid, 'DELETE')
      OR pg_catalog.has_any_column_privilege(role.oid, class.oid, 'INSERT, UPDATE') AS write,
    pg_catalog.has_any_column_privilege(role.oid, class.oid, 'SELECT') AS read
) AS can
WHERE class.relkind IN ('r', 'p') AND NOT class.relrowsecurity
  AND pg_catalog.has_schema_privilege(role.oid, exposed.oid, 'USAGE')
  AND ('pg_catalog.pg_class'::pg_catalog.regclass, class.oid) NOT IN (SELECT classid, objid FROM extension_object)
GROUP BY 1
HAVING pg_catalog.bool_or(can.read) AND NOT pg_catalog.bool_or(can.write)
ORDER BY 1`;

export const TABLES: Check = { query, read: (rows) => rows.map(describeTable) };

function describeTable([table, readers]: TextRow): Finding {
  const object = table ?? '';
  return {
    severity: 'info',
    code: 'table-without-row-security',
    object,
    why: `The table has no row-level security, so ${readers ?? ''} can read every row.`,
    mend: `ALTER TABLE ${object} ENABLE ROW LEVEL SECURITY;\n-- Then CREATE POLICY for the rows that each role may see and write; without a policy it sees none.`,
  };
}
