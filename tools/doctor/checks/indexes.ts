// Finds columns of policies without an index: every request looks them up.
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import type { Check, Finding } from './check.ts';

/** Excludes boolean columns, for which an index saves nothing. */
export const POLICY_COLUMNS: Check = {
  query: `
SELECT pg_catalog.format('%I.%I', exposed.name, class.relname), pg_catalog.quote_ident(attribute.attname),
  pg_catalog.string_agg(DISTINCT policy.polname, ', ')
FROM exposed
JOIN pg_catalog.pg_class AS class ON class.relnamespace = exposed.oid AND class.relrowsecurity
JOIN pg_catalog.pg_policy AS policy ON policy.polrelid = class.oid AND policy.polqual IS NOT NULL
JOIN pg_catalog.pg_depend AS depend
  ON depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND depend.objid = policy.oid
  AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid = class.oid
JOIN pg_catalog.pg_attribute AS attribute
  ON attribute.attrelid = class.oid AND attribute.attnum = depend.refobjsubid AND attribute.attnum > 0
WHERE attribute.atttypid <> 'boolean'::pg_catalog.regtype AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_index AS index
  WHERE index.indrelid = class.oid AND index.indisvalid AND index.indpred IS NULL
    AND index.indkey[0] = attribute.attnum
)
GROUP BY 1, 2
ORDER BY 1, 2`,
  read: (rows) => rows.map(describePolicyColumn),
};

function describePolicyColumn([table, column, policies]: TextRow): Finding {
  return {
    severity: 'warning',
    code: 'policy-column-without-index',
    object: `${table ?? ''} (${column ?? ''})`,
    why: `The policies ${policies ?? ''} test the column in every request, which scans the whole table.`,
    mend: `CREATE INDEX ON ${table ?? ''} (${column ?? ''});`,
  };
}
