// What Citus does not find, does not reach or does not distribute.
import { type Lint, type Row, textOf } from './lint.ts';

const LARGE = 1_000_000;

export const DISTRIBUTED_LINTS: readonly Lint[] = [
  {
    name: 'role-cannot-log-in',
    level: 'warning',
    query: `
SELECT may.role, may.quoted_role, pg_catalog.min(may.object) AS object
FROM distributed JOIN may ON may.oid = distributed.oid AND may.use
JOIN role ON role.oid = may.role_oid AND NOT role.rolcanlogin
GROUP BY may.role, may.quoted_role
ORDER BY may.role`,
    message: 'Citus connects to the servers of a table as the role of the request, and this role may not log in.',
    fix: 'ALTER ROLE {quoted_role} LOGIN;\n-- Let pg_hba.conf accept the role from the servers of the cluster only.',
  },
  {
    // PostgreSQL inlines the body of such a function, and so reads the coordinator's own table, which is empty. The body
    // is a text, which PostgreSQL does not resolve: searched for the names of distributed tables and of views of them.
    name: 'function-misses-shards',
    level: 'warning',
    query: `
SELECT routine.object, pg_catalog.min(named.object) AS relation
FROM routine
JOIN pg_catalog.pg_proc AS proc ON proc.oid = routine.oid AND proc.prokind = 'f' AND proc.proretset
  AND proc.provolatile <> 'v' AND NOT proc.proisstrict AND NOT proc.prosecdef AND proc.proconfig IS NULL
JOIN pg_catalog.pg_language AS language ON language.oid = proc.prolang AND language.lanname = 'sql'
JOIN (
  SELECT object, '\\m' || pg_catalog.regexp_replace(name, '\\W', '.', 'g') || '\\M' AS pattern
  FROM any_relation
  WHERE oid IN (
    SELECT oid FROM distributed UNION SELECT reads.view FROM reads JOIN distributed ON distributed.oid = reads.relation)
) AS named ON coalesce(pg_catalog.pg_get_function_sqlbody(proc.oid), proc.prosrc) ~* named.pattern
WHERE routine.is_exposed
GROUP BY routine.object
ORDER BY routine.object`,
    message:
      'PostgreSQL puts the body of this function into the query after Citus has looked for distributed tables such as {relation} there, so it can find no rows or fail.',
    fix: 'ALTER FUNCTION {object} SET row_security = on;\n-- The setting is the usual one. A function with a setting runs by itself, as one in PL/pgSQL does.',
  },
  {
    name: 'policy-over-all-shards',
    level: 'warning',
    query: `
SELECT policy.object, policy.policy, policy.qual, pg_catalog.quote_ident(attribute.attname) AS column
FROM policy
JOIN distributed ON distributed.oid = policy.relation
JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = policy.relation AND attribute.attnum = distributed.attnum
WHERE policy.is_permissive AND policy.command <> 'a'
ORDER BY policy.object, policy.policy`,
    decide: (row) => (limitsColumn(row) ? undefined : row),
    message: 'The policy {policy} has no condition {column} = …, so every shard is asked for the rows that it permits.',
    fix: '-- In the policy {policy} add the condition that {column} equals the tenant of the request.',
  },
  {
    name: 'large-local-table',
    level: 'warning',
    query: `
SELECT object, pg_catalog.quote_literal(object) AS literal, pg_catalog.round(reltuples)::pg_catalog.text AS rows
FROM relation
WHERE kind = 'r' AND reltuples > ${LARGE}
  AND EXISTS (SELECT FROM distributed) AND NOT EXISTS (SELECT FROM distributed WHERE distributed.oid = relation.oid)
ORDER BY object`,
    message: 'All of its rows, about {rows}, are on the coordinator.',
    fix: `-- Distribute it by the column of the tenant: SELECT create_distributed_table({literal}, 'tenant_id');`,
  },
];

/** Whether the condition of a policy, as `pg_get_expr` prints it, has an equality with the column. */
function limitsColumn(row: Row): boolean {
  const [condition, column] = [textOf(row, 'qual'), textOf(row, 'column')];
  const sides = condition.split(/ (?:OR|AND) /u);
  const isLimited = sides.some((side) => side.includes(`(${column} = `) || side.endsWith(` = ${column})`));
  return isLimited && !condition.includes(' OR ');
}
