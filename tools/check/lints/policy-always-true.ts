// A policy that is `true` permits every row: for a write, or for a read of a table with personal data.
import { APPLIES, type Lint, textOf } from './lint.ts';

/** Names of columns that look personal. */
const PERSONAL =
  '(^|_)(email|phone|mobile|birthday|birth_date|date_of_birth|address|street|ssn|tax_id|iban|salary|first_name|last_name|full_name|ip|ip_address)$';

/** An INSERT has only a check; other writes first find a row. */
export const POLICY_ALWAYS_TRUE: Lint = {
  name: 'policy-always-true',
  level: 'warning',
  query: `
SELECT policy.object, policy.name, may.role,
  CASE WHEN found.writes THEN 'every row of the table can be written'
    ELSE 'every row can be read, with ' || found.columns END AS effect
FROM policy JOIN may ON may.oid = policy.relation AND ${APPLIES}
JOIN relation ON relation.oid = policy.relation AND relation.relrowsecurity
CROSS JOIN LATERAL (
  SELECT (policy.command IN ('a', '*') AND may.insert AND coalesce(policy.checked, policy.qual) = 'true')
      OR (policy.command IN ('w', '*') AND may.update AND policy.qual = 'true')
      OR (policy.command IN ('d', '*') AND may.delete AND policy.qual = 'true') AS writes,
    policy.command IN ('r', '*') AND may.read AND policy.qual = 'true' AS reads,
    (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(attribute.attname), ', ' ORDER BY attribute.attnum)
     FROM pg_catalog.pg_attribute AS attribute
     WHERE attribute.attrelid = policy.relation AND attribute.attnum > 0 AND NOT attribute.attisdropped
       AND attribute.attname ~ '${PERSONAL}'
       AND pg_catalog.has_column_privilege(may.role_oid, policy.relation, attribute.attnum, 'SELECT')) AS columns
) AS found
WHERE policy.is_permissive AND (found.writes OR (found.reads AND found.columns IS NOT NULL))`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      place: { kind: 'policy', table: textOf(row, 'object'), name: textOf(row, 'name') },
      message: `The policy ${textOf(row, 'name')} is always true: ${textOf(row, 'effect')}.`,
      fix: null,
    },
  ],
};
