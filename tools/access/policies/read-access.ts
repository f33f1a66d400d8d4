// Reads who may do what in a schema, or with one relation, as JSON (`contract/access-document.ts`). It reads only the
// catalogs, which every role may read.
import type { AppConfig } from '../../../src/config/table/app-config.ts';
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import type { TransactionQuery } from '../../../src/postgres/session/query.ts';
import { appliesTo, isInvoker, isRestricted, VIEW_USES } from './catalog-terms.ts';

/** @returns an `AccessDocument`, in which names in policies are written as the API resolves them. @param relation undefined: all */
export async function readAccess(
  { schema, relation }: { readonly schema: string; readonly relation: string | undefined },
  { dbAnonRole, dbExtraSearchPath }: Pick<AppConfig, 'dbAnonRole' | 'dbExtraSearchPath'>,
  run: TransactionQuery,
): Promise<Result<string, ApiError>> {
  const path = [schema, ...dbExtraSearchPath].map(quoteIdentifier).join(', ');
  const set = await run(`SELECT pg_catalog.set_config('search_path', $1, true)`, [path]);
  const reply = set.ok ? await run(TEXT, [schema, relation ?? null, dbAnonRole ?? null]) : set;
  if (!reply.ok) return reply;
  const document = reply.value[0]?.[0];
  return typeof document === 'string' ? ok(document) : fail({ kind: 'schemaNotExposed', schema, exposed: [] });
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
    known.rolname = session_user OR known.rolcanlogin AND NOT known.rolsuper AND EXISTS (
      SELECT FROM pg_catalog.pg_roles AS unnamed
      WHERE unnamed.rolname = anonymous AND unnamed.oid <> known.oid
        AND pg_catalog.pg_has_role(known.oid, unnamed.oid, 'MEMBER')) AS is_login,
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
), uses (view, relation) AS (
  ${VIEW_USES}
), reached (root, view, relation) AS (
  SELECT relation.oid, uses.view, uses.relation FROM relation JOIN uses ON uses.view = relation.oid
  UNION
  SELECT reached.root, uses.view, uses.relation FROM reached JOIN uses ON uses.view = reached.relation
), source AS (
  SELECT DISTINCT reached.root, class.oid, class.relowner, class.relrowsecurity, class.relforcerowsecurity,
    pg_catalog.format('%I.%I', home.nspname, class.relname) AS name,
    CASE WHEN NOT ${isInvoker('view')} THEN view.relowner END AS reader
  FROM reached
  JOIN pg_catalog.pg_class AS view ON view.oid = reached.view
  JOIN pg_catalog.pg_class AS class ON class.oid = reached.relation AND class.relkind <> 'v'
  JOIN pg_catalog.pg_namespace AS home ON home.oid = class.relnamespace
), limited AS (
  SELECT source.root, role.oid AS role, source.name AS table, reader.rolname AS reader,
    pg_catalog.has_any_column_privilege(reader.oid, source.oid, 'SELECT') AS is_readable,
    ARRAY(
      SELECT action.name
      FROM (VALUES (1, 'select', 'r'), (2, 'insert', 'a'), (3, 'update', 'w'), (4, 'delete', 'd'))
        AS action (place, name, command)
      WHERE ${isRestricted('source', 'reader')}
        AND NOT (SELECT coalesce(pg_catalog.bool_or(is_open) FILTER (WHERE polpermissive), false)
            AND coalesce(pg_catalog.bool_and(is_open) FILTER (WHERE NOT polpermissive), true)
          FROM pg_catalog.pg_policy AS policy
          CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.pg_get_expr(policy.polqual, policy.polrelid), 'true') = 'true'
            AND coalesce(pg_catalog.pg_get_expr(policy.polwithcheck, policy.polrelid), 'true') = 'true') AS stated (is_open)
          WHERE policy.polrelid = source.oid AND policy.polcmd::text IN ('*', action.command)
            AND ${appliesTo('policy', 'reader.oid')})
      ORDER BY action.place) AS restricted
  FROM source CROSS JOIN role
  JOIN pg_catalog.pg_roles AS reader ON reader.oid = coalesce(source.reader, role.oid)
), limits AS (
  SELECT root, role, pg_catalog.json_agg(pg_catalog.json_build_object(
    'table', limited.table, 'reader', reader, 'isReadable', is_readable,
    'restricted', restricted) ORDER BY limited.table, reader) AS list
  FROM limited
  WHERE NOT is_readable OR restricted <> '{}'
  GROUP BY root, role
), rights AS (
  SELECT relation.oid, pg_catalog.json_agg(pg_catalog.json_build_object(
    'select', ${COLUMNS('SELECT')},
    'insert', ${COLUMNS('INSERT')},
    'update', ${COLUMNS('UPDATE')},
    'delete', pg_catalog.has_table_privilege(role.oid, relation.oid, 'DELETE'),
    'isOwner', pg_catalog.pg_has_role(role.oid, relation.relowner, 'USAGE'),
    'limits', coalesce(limits.list, '[]')) ORDER BY role.place) AS list
  FROM relation CROSS JOIN role LEFT JOIN limits ON limits.root = relation.oid AND limits.role = role.oid
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
      WHERE ${appliesTo('policy', 'role.oid')}),
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
    'isInvoker', ${isInvoker('relation')},
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

const TEXT = `WITH RECURSIVE ${ROLES}, ${RELATIONS}, ${FUNCTIONS}
SELECT pg_catalog.json_build_object(
  'schema', space.nspname,
  'login', session_user,
  'roles', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
    'name', role.name, 'isAnonymous', role.is_anonymous, 'isSuperuser', role.rolsuper,
    'bypassesRowSecurity', role.rolbypassrls, 'hasUsage', role.has_usage,
    'isLogin', role.is_login) ORDER BY role.place) FROM role),
  'relations', coalesce(described.list, '[]'),
  'functions', coalesce(routine.list, '[]'))
FROM space CROSS JOIN described CROSS JOIN routine`;
