// A policy depends on what the client can write: request headers, cookies, or metadata that users edit themselves.
import { type Lint, textOf } from './lint.ts';

/** Also looks into functions that the policy calls. */
export const POLICY_TRUSTS_CLIENT: Lint = {
  name: 'policy-trusts-client',
  level: 'warning',
  query: `
SELECT policy.object, policy.name, trusted.what
FROM policy JOIN relation ON relation.oid = policy.relation AND relation.relrowsecurity
CROSS JOIN LATERAL (
  SELECT pg_catalog.concat_ws(' ', policy.qual, policy.checked, (
    SELECT pg_catalog.string_agg(coalesce(proc.prosrc, '') || coalesce(pg_catalog.pg_get_function_sqlbody(proc.oid), ''), ' ')
    FROM pg_catalog.pg_depend AS depend
    JOIN pg_catalog.pg_proc AS proc ON proc.oid = depend.refobjid AND proc.oid >= 16384
    WHERE depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass AND depend.objid = policy.oid
      AND depend.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass)) AS text
) AS read
CROSS JOIN LATERAL (
  SELECT pg_catalog.string_agg(pattern.what, ' and ' ORDER BY pattern.what) AS what
  FROM (VALUES ('request headers', 'request[.]headers'), ('cookies', 'request[.]cookies'),
    ('metadata that users can edit', '(^|[^[:alnum:]_-])user_metadata($|[^[:alnum:]_-])')) AS pattern(what, part)
  WHERE read.text ~ pattern.part
) AS trusted
WHERE trusted.what IS NOT NULL`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: null,
      place: { kind: 'policy', table: textOf(row, 'object'), name: textOf(row, 'name') },
      message: `The policy ${textOf(row, 'name')} depends on ${textOf(row, 'what')}, which a client can set to any value.`,
      fix: null,
    },
  ],
};
