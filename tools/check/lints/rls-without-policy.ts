// Row-level security is on and there is no policy, so a grant can do nothing.
import { type Lint, textOf } from './lint.ts';

/** Roles that bypass row-level security, and owners whom it is not forced upon, need no policy. */
export const RLS_WITHOUT_POLICY: Lint = {
  name: 'rls-without-policy',
  level: 'warning',
  query: `
SELECT relation.object, may.role
FROM relation JOIN may ON may.oid = relation.oid
JOIN pg_catalog.pg_roles AS member ON member.oid = may.role_oid AND NOT member.rolbypassrls
WHERE relation.relrowsecurity AND (may.read OR may.insert OR may.update OR may.delete)
  AND (relation.relforcerowsecurity OR NOT pg_catalog.pg_has_role(may.role_oid, relation.owner, 'USAGE'))
  AND NOT EXISTS (SELECT FROM policy WHERE policy.relation = relation.oid AND policy.is_permissive)`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      message: 'Row-level security is on, but no policy permits a row: the privileges of the role have no effect.',
      fix: `CREATE POLICY rows_of_the_role ON ${textOf(row, 'object')} USING (false);\n-- Replace false by the condition for the rows that each role may see and write.`,
    },
  ],
};
