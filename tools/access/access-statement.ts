// The statement that describes who may do what in a schema, as JSON (`contract/access-document.ts`). It reads only the
// catalogs, which every role may read.
import type { Statement } from '../../src/contract/transaction.ts';

export interface AccessScope {
  readonly schema: string;
  /** Undefined for all relations. */
  readonly relation: string | undefined;
  /** The role of requests without a token. */
  readonly anonymousRole: string | undefined;
}

/** Returns one row with the document; none if the schema does not exist. */
export function renderAccessStatement({ schema, relation, anonymousRole }: AccessScope): Statement {
  return { text: TEXT, parameters: [schema, relation ?? null, anonymousRole ?? null] };
}

const COLUMNS = (privilege: string): string => `CASE
      WHEN pg_catalog.has_table_privilege(role.oid, relation.oid, '${privilege}') THEN pg_catalog.to_json(true)
      WHEN pg_catalog.has_any_column_privilege(role.oid, relation.oid, '${privilege}') THEN (
        SELECT pg_catalog.json_agg(attribute.attname ORDER BY attribute.attnum)
        FROM pg_catalog.pg_attribute AS attribute
        WHERE attribute.attrelid = relation.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
          AND pg_catalog.has_column_privilege(role.oid, relation.oid, attribute.attnum, '${privilege}'))
      ELSE pg_catalog.to_json(false) END`;

/** The roles that the login role may assume: those that tokens can name. The roles of PostgreSQL itself are omitted. */
const ROLES = `stated AS (
  SELECT $1::text AS schema, $2::text AS relation, $3::text AS anonymous
), space AS (
  SELECT oid, nspname FROM pg_catalog.pg_namespace JOIN stated ON nspname = schema
), role AS (
  SELECT known.oid, known.rolname AS name, known.rolsuper, known.rolbypassrls,
    known.rolname IS NOT DISTINCT FROM anonymous AS is_anonymous,
    pg_catalog.has_schema_privilege(known.oid, space.oid, 'USAGE') AS has_usage,
    pg_catalog.row_number() OVER (
      ORDER BY known.rolname IS DISTINCT FROM anonymous, known.rolsuper, known.rolcanlogin, known.rolname) AS place
  FROM pg_catalog.pg_roles AS known CROSS JOIN space CROSS JOIN stated
  WHERE known.rolname !~ '^pg_'
    AND (pg_catalog.pg_has_role(session_user, known.oid, 'MEMBER') OR known.rolname = anonymous)
)`;

const RELATIONS = `relation AS (
  SELECT class.oid, class.relname AS name, class.relkind, class.relowner, class.relrowsecurity,
    class.relforcerowsecurity, class.reloptions
  FROM pg_catalog.pg_class AS class JOIN space ON space.oid = class.relnamespace CROSS JOIN stated
  WHERE class.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND (class.relname = stated.relation OR stated.relation IS NULL AND NOT class.relispartition)
    AND ('pg_catalog.pg_class'::pg_catalog.regclass, class.oid) NOT IN (
      SELECT classid, objid FROM pg_catalog.pg_depend WHERE deptype = 'e')
), rights AS (
  SELECT relation.oid, pg_catalog.json_agg(pg_catalog.json_build_object(
    'select', ${COLUMNS('SELECT')},
    'insert', ${COLUMNS('INSERT')},
    'update', ${COLUMNS('UPDATE')},
    'delete', pg_catalog.has_table_privilege(role.oid, relation.oid, 'DELETE'),
    'isOwner', pg_catalog.pg_has_role(role.oid, relation.relowner, 'USAGE')) ORDER BY role.place) AS list
  FROM relation CROSS JOIN role
  GROUP BY relation.oid
), policies AS (
  SELECT policy.polrelid AS oid, pg_catalog.json_agg(pg_catalog.json_build_object(
    'name', policy.polname,
    'command', CASE policy.polcmd
      WHEN 'r' THEN 'select' WHEN 'a' THEN 'insert' WHEN 'w' THEN 'update' WHEN 'd' THEN 'delete' ELSE 'all' END,
    'isPermissive', policy.polpermissive,
    'roles', (SELECT pg_catalog.json_agg(CASE WHEN named = 0 THEN 'public' ELSE pg_catalog.pg_get_userbyid(named) END)
      FROM pg_catalog.unnest(policy.polroles) AS named),
    'appliesTo', (SELECT coalesce(pg_catalog.json_agg(role.name ORDER BY role.place), '[]') FROM role
      WHERE EXISTS (SELECT FROM pg_catalog.unnest(policy.polroles) AS named
        WHERE named = 0 OR pg_catalog.pg_has_role(role.oid, named, 'USAGE'))),
    'using', pg_catalog.pg_get_expr(policy.polqual, policy.polrelid, true),
    'check', pg_catalog.pg_get_expr(policy.polwithcheck, policy.polrelid, true)) ORDER BY policy.polname) AS list
  FROM pg_catalog.pg_policy AS policy JOIN relation ON relation.oid = policy.polrelid
  GROUP BY policy.polrelid
), described AS (
  SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
    'name', relation.name,
    'kind', CASE relation.relkind
      WHEN 'v' THEN 'view' WHEN 'm' THEN 'materializedView' WHEN 'f' THEN 'foreignTable' ELSE 'table' END,
    'owner', pg_catalog.pg_get_userbyid(relation.relowner),
    'rowSecurity', CASE
      WHEN NOT relation.relrowsecurity THEN 'off' WHEN relation.relforcerowsecurity THEN 'forced' ELSE 'on' END,
    'isInvoker', EXISTS (SELECT FROM pg_catalog.pg_options_to_table(relation.reloptions)
      WHERE option_name = 'security_invoker' AND option_value::boolean),
    'columns', (SELECT coalesce(pg_catalog.json_agg(attribute.attname ORDER BY attribute.attnum), '[]')
      FROM pg_catalog.pg_attribute AS attribute
      WHERE attribute.attrelid = relation.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped),
    'key', (SELECT coalesce(pg_catalog.json_agg(attribute.attname ORDER BY attribute.attnum), '[]')
      FROM pg_catalog.pg_index AS index JOIN pg_catalog.pg_attribute AS attribute
        ON attribute.attrelid = relation.oid AND attribute.attnum = ANY (index.indkey)
      WHERE index.indrelid = relation.oid AND index.indisprimary),
    'impossible', (SELECT coalesce(pg_catalog.json_agg(action.name ORDER BY action.bit), '[]')
      FROM (VALUES ('update', 4), ('insert', 8), ('delete', 16)) AS action (name, bit)
      WHERE pg_catalog.pg_relation_is_updatable(relation.oid, true) & action.bit = 0),
    'rights', coalesce(rights.list, '[]'),
    'policies', coalesce(policies.list, '[]')) ORDER BY relation.name) AS list
  FROM relation LEFT JOIN rights USING (oid) LEFT JOIN policies USING (oid)
)`;

const FUNCTIONS = `routine AS (
  SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
    'name', proc.proname,
    'arguments', pg_catalog.pg_get_function_identity_arguments(proc.oid),
    'owner', pg_catalog.pg_get_userbyid(proc.proowner),
    'isDefiner', proc.prosecdef,
    'roles', (SELECT coalesce(pg_catalog.json_agg(role.name ORDER BY role.place), '[]') FROM role
      WHERE pg_catalog.has_function_privilege(role.oid, proc.oid, 'EXECUTE'))) ORDER BY proc.proname, proc.oid) AS list
  FROM pg_catalog.pg_proc AS proc JOIN space ON space.oid = proc.pronamespace CROSS JOIN stated
  WHERE stated.relation IS NULL AND proc.prokind = 'f'
    AND proc.prorettype NOT IN ('trigger'::pg_catalog.regtype, 'event_trigger'::pg_catalog.regtype)
    AND ('pg_catalog.pg_proc'::pg_catalog.regclass, proc.oid) NOT IN (
      SELECT classid, objid FROM pg_catalog.pg_depend WHERE deptype = 'e')
)`;

const TEXT = `WITH ${ROLES}, ${RELATIONS}, ${FUNCTIONS}
SELECT pg_catalog.json_build_object(
  'schema', space.nspname,
  'login', session_user,
  'roles', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
    'name', role.name, 'isAnonymous', role.is_anonymous, 'isSuperuser', role.rolsuper,
    'bypassesRowSecurity', role.rolbypassrls, 'hasUsage', role.has_usage) ORDER BY role.place) FROM role),
  'relations', coalesce(described.list, '[]'),
  'functions', coalesce(routine.list, '[]'))
FROM space CROSS JOIN described CROSS JOIN routine`;
