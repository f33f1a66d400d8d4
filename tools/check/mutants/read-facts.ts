// Reads from the catalogs what mutants change: policies, grants and views that concern web roles.
import { appliesTo, isInvoker } from '../../access/policies/catalog-terms.ts';
import type { SqlClient } from '../../embedded/script/sql-session.ts';
import type { GrantFacts, MutantFacts, PolicyFacts, Subject } from './mutant.ts';

/** Table expressions `web`, the roles of $1 that privileges restrict, and `own`, the relations of the project. */
const SUBJECT = `WITH web AS (
  SELECT oid, rolname, rolbypassrls FROM pg_catalog.pg_roles WHERE rolname = ANY ($1::text[]) AND NOT rolsuper
), space AS (
  SELECT oid, nspname FROM pg_catalog.pg_namespace
  WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'rowhouse')
), own AS (
  SELECT class.oid, class.relkind AS kind, class.relowner AS owner, class.relacl AS acl, class.relrowsecurity,
    class.reloptions, pg_catalog.format('%I.%I', space.nspname, class.relname) AS object,
    space.nspname::text AS schema, class.relname::text AS name
  FROM space JOIN pg_catalog.pg_class AS class ON class.relnamespace = space.oid
  WHERE class.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend WHERE classid = 'pg_catalog.pg_class'::pg_catalog.regclass
      AND objid = class.oid AND deptype = 'e')
)`;

const POLICIES_SQL = `${SUBJECT}
SELECT own.object, own.schema, own.name, policy.polname::text AS policy, policy.polpermissive AS "isPermissive",
  pg_catalog.pg_get_expr(policy.polqual, own.oid) AS "using",
  pg_catalog.pg_get_expr(policy.polwithcheck, own.oid) AS "check",
  ARRAY(
    SELECT web.rolname::text FROM web
    WHERE NOT web.rolbypassrls AND ${appliesTo('policy', 'web.oid')}
      AND (policy.polcmd IN ('r', '*') AND pg_catalog.has_any_column_privilege(web.oid, own.oid, 'SELECT')
        OR policy.polcmd IN ('a', '*') AND pg_catalog.has_any_column_privilege(web.oid, own.oid, 'INSERT')
        OR policy.polcmd IN ('w', '*') AND pg_catalog.has_any_column_privilege(web.oid, own.oid, 'UPDATE')
        OR policy.polcmd IN ('d', '*') AND pg_catalog.has_table_privilege(web.oid, own.oid, 'DELETE'))
    ORDER BY 1) AS roles
FROM own JOIN pg_catalog.pg_policy AS policy ON policy.polrelid = own.oid
WHERE own.relrowsecurity
ORDER BY own.object, policy.polname`;

/**
 * Privileges that the owner has granted and that a request can need. The roles of a grant are those that have the
 * privilege by nothing else.
 */
const GRANTS_SQL = `${SUBJECT}, entry AS (
  SELECT own.object, own.schema, own.name, CASE own.kind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
    own.owner, NULL::text[] AS columns, acl.grantor, acl.grantee, acl.privilege_type AS privilege
  FROM own CROSS JOIN LATERAL pg_catalog.aclexplode(own.acl) AS acl
  UNION ALL
  SELECT own.object, own.schema, own.name, 'TABLE', own.owner,
    pg_catalog.array_agg(pg_catalog.quote_ident(attribute.attname) ORDER BY attribute.attnum),
    acl.grantor, acl.grantee, acl.privilege_type
  FROM own JOIN pg_catalog.pg_attribute AS attribute ON attribute.attrelid = own.oid AND NOT attribute.attisdropped
  CROSS JOIN LATERAL pg_catalog.aclexplode(attribute.attacl) AS acl
  GROUP BY 1, 2, 3, 4, 5, 7, 8, 9
  UNION ALL
  SELECT proc.oid::pg_catalog.regprocedure::text, space.nspname, proc.proname, 'ROUTINE', proc.proowner, NULL,
    acl.grantor, acl.grantee, acl.privilege_type
  FROM space JOIN pg_catalog.pg_proc AS proc ON proc.pronamespace = space.oid
  CROSS JOIN LATERAL pg_catalog.aclexplode(proc.proacl) AS acl
  WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend WHERE classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
    AND objid = proc.oid AND deptype = 'e')
), holds AS (
  SELECT entry.*, web.oid AS web, web.rolname FROM entry JOIN web
    ON entry.grantee = 0 OR pg_catalog.pg_has_role(web.oid, entry.grantee, 'USAGE')
)
SELECT object, schema, name, kind, columns, privilege, grantee.rolname::text AS grantee,
  pg_catalog.array_agg(holds.rolname::text ORDER BY holds.rolname) AS roles
FROM holds LEFT JOIN pg_catalog.pg_roles AS grantee ON grantee.oid = holds.grantee
WHERE holds.grantor = holds.owner AND holds.grantee <> holds.owner
  AND privilege IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'USAGE', 'EXECUTE')
  -- A function that nobody has granted is executable by PUBLIC.
  AND NOT (kind = 'ROUTINE' AND holds.grantee = 0)
  AND NOT EXISTS (
    SELECT FROM holds AS other
    WHERE other.web = holds.web AND other.object = holds.object AND other.kind = holds.kind
      AND other.privilege = holds.privilege AND (other.columns IS NULL OR other.columns @> holds.columns)
      AND (other.grantee, other.grantor, other.columns) IS DISTINCT FROM (holds.grantee, holds.grantor, holds.columns)
  )
GROUP BY 1, 2, 3, 4, 5, 6, 7
ORDER BY object, grantee, privilege, columns`;

const VIEWS_SQL = `${SUBJECT}
SELECT own.object, own.schema, own.name, ARRAY(
  SELECT web.rolname::text FROM web
  WHERE pg_catalog.has_any_column_privilege(web.oid, own.oid, 'SELECT, INSERT, UPDATE')
    OR pg_catalog.has_table_privilege(web.oid, own.oid, 'DELETE')
  ORDER BY 1) AS roles
FROM own
WHERE own.kind = 'v' AND ${isInvoker('own')}
ORDER BY own.object`;

/** @param roles web roles. Rejects with the driver's error */
export async function readMutantFacts(client: SqlClient, roles: readonly string[]): Promise<MutantFacts> {
  // Names in expressions are then printed with their schemas.
  await client.query(`set search_path to ''`);
  const policies = await client.query<PolicyFacts>(POLICIES_SQL, [roles]);
  const grants = await client.query<GrantFacts>(GRANTS_SQL, [roles]);
  const views = await client.query<Subject>(VIEWS_SQL, [roles]);
  return { policies: policies.rows, grants: grants.rows, views: views.rows };
}
