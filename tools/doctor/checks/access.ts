// Finds what nobody can use: roles that can access no route, and tables without grants.
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Check, Finding } from './check.ts';

/** The roles that tokens may name, and what the schemas provide. Objects of extensions do not count. */
const ACCESS_CTES = `, requester AS (
  SELECT oid, name, is_anonymous FROM role WHERE is_anonymous OR name <> session_user
), relation AS (
  SELECT class.oid, class.relnamespace AS schema, class.relname AS name
  FROM pg_catalog.pg_class AS class
  WHERE class.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT class.relispartition
    AND ('pg_catalog.pg_class'::pg_catalog.regclass, class.oid) NOT IN (SELECT classid, objid FROM extension_object)
), routine AS (
  SELECT proc.oid, proc.pronamespace AS schema
  FROM pg_catalog.pg_proc AS proc
  WHERE proc.prokind = 'f'
    AND proc.prorettype NOT IN ('trigger'::pg_catalog.regtype, 'event_trigger'::pg_catalog.regtype)
    AND ('pg_catalog.pg_proc'::pg_catalog.regclass, proc.oid) NOT IN (SELECT classid, objid FROM extension_object)
), granted_relation AS (
  SELECT requester.oid AS role, relation.oid
  FROM requester CROSS JOIN exposed JOIN relation ON relation.schema = exposed.oid
  WHERE pg_catalog.has_schema_privilege(requester.oid, exposed.oid, 'USAGE')
    AND (pg_catalog.has_any_column_privilege(requester.oid, relation.oid, 'SELECT, INSERT, UPDATE')
      OR pg_catalog.has_table_privilege(requester.oid, relation.oid, 'DELETE'))
), granted_routine AS (
  SELECT requester.oid AS role, routine.oid
  FROM requester CROSS JOIN exposed JOIN routine ON routine.schema = exposed.oid
  WHERE pg_catalog.has_schema_privilege(requester.oid, exposed.oid, 'USAGE')
    AND pg_catalog.has_function_privilege(requester.oid, routine.oid, 'EXECUTE')
)`;

const HAS_ROUTES = `
  (EXISTS (SELECT FROM relation JOIN exposed ON exposed.oid = relation.schema)
    OR EXISTS (SELECT FROM routine JOIN exposed ON exposed.oid = routine.schema))`;

export const ROLES_WITHOUT_ACCESS: Check = {
  query: `${ACCESS_CTES}
SELECT requester.name
FROM requester
WHERE ${HAS_ROUTES}
  AND requester.oid NOT IN (SELECT role FROM granted_relation UNION SELECT role FROM granted_routine)
ORDER BY requester.name`,
  read: (rows, { dbSchemas }) => rows.map(([name]) => describeRole(name ?? '', dbSchemas)),
};

function describeRole(name: string, dbSchemas: readonly string[]): Finding {
  const role = quoteIdentifier(name);
  const schemas = dbSchemas.map(quoteIdentifier).join(', ');
  return {
    severity: 'warning',
    code: 'role-without-access',
    object: name,
    why: 'The role can read, write and call nothing, so each of its requests fails.',
    mend: `GRANT USAGE ON SCHEMA ${schemas} TO ${role};\nGRANT SELECT ON ALL TABLES IN SCHEMA ${schemas} TO ${role};\n-- Or grant it only some of the tables and functions.`,
    caution: 'it lets the role read every table, also those that are private.',
  };
}

/** Superusers need no grants. */
export const TABLES_WITHOUT_GRANTS: Check = {
  query: `${ACCESS_CTES}
SELECT pg_catalog.format('%I.%I', exposed.name, relation.name), pg_catalog.quote_ident(exposed.name), granter.name,
  pg_catalog.has_schema_privilege(granter.oid, exposed.oid, 'USAGE')
FROM exposed
JOIN relation ON relation.schema = exposed.oid
CROSS JOIN (SELECT oid, name FROM requester ORDER BY is_anonymous DESC, name LIMIT 1) AS granter
WHERE relation.oid NOT IN (SELECT oid FROM granted_relation)
  AND NOT EXISTS (SELECT FROM known WHERE rolsuper AND (is_anonymous OR name <> session_user))
ORDER BY 1`,
  read: (rows) => rows.map(describeTable),
};

function describeTable([table, schema, name, hasUsage]: TextRow): Finding {
  const role = quoteIdentifier(name ?? '');
  const usage = hasUsage === 't' ? '' : `GRANT USAGE ON SCHEMA ${schema ?? ''} TO ${role};\n`;
  return {
    severity: 'warning',
    code: 'table-without-grants',
    object: table ?? '',
    why: 'No role of the API can read or write it.',
    mend: `${usage}GRANT SELECT ON ${table ?? ''} TO ${role};\n-- Keep tables that clients should not query in a schema that db-schemas does not list.`,
    caution: 'it opens the table to clients, which may not be intended.',
  };
}
