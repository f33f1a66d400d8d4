// Citus connects to the servers of a distributed table as the role of the request.
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { DISTRIBUTED } from './distributed-tables.ts';
import { type Lint, textOf } from './lint.ts';

export const ROLE_CANNOT_LOG_IN: Lint = {
  name: 'role-cannot-log-in',
  level: 'warning',
  query: `${DISTRIBUTED}
SELECT may.role, pg_catalog.min(relation.object) AS object
FROM distributed JOIN relation ON relation.oid = distributed.oid
JOIN may ON may.oid = relation.oid AND (may.read OR may.insert OR may.update OR may.delete)
JOIN pg_catalog.pg_roles AS member ON member.oid = may.role_oid AND NOT member.rolcanlogin
GROUP BY may.role
ORDER BY may.role`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: textOf(row, 'role'),
      message: 'Citus connects to the servers of a table as the role of the request, and this role may not log in.',
      fix: `ALTER ROLE ${quoteIdentifier(textOf(row, 'role'))} LOGIN;\n-- Let pg_hba.conf accept the role from the servers of the cluster only.`,
    },
  ],
};
