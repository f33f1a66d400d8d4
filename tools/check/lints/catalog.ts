// The table expressions that all lints share: what requests can reach, and as whom.

/** Not run without Citus, whose tables PostgreSQL then does not know. */
const PARTITIONS = `SELECT logicalrelid::pg_catalog.oid AS oid, pg_catalog.substring(partkey, ':varattno ([0-9]+)') AS attnum
  FROM pg_catalog.pg_dist_partition WHERE partmethod <> 'n' OR repmodel = 't' OR colocationid <> 0`;

/** The objects that extensions created. */
const EXTENSION_OBJECT = `SELECT classid, objid FROM pg_catalog.pg_depend WHERE deptype = 'e'`;

/**
 * Precedes each lint. $1 is a `Subject` as JSON. PostgreSQL does not evaluate the expressions that a lint does not use.
 *
 * - `known`: the roles of requests. `role`: those that privileges and policies restrict. `requester`: those without the
 *   login role, which only a token can name.
 * - `any_relation`, `relation`: all tables and views, and those of the exposed schemas that belong to no extension.
 * - `may`, `may_call`: the privileges of each `role`, if it may use the schema.
 * - `policy`: of a table that has them enabled. `applied_policy`: for each role to which it applies.
 * - `uses`, `reads`: the relations that a view names, and those that it reads through other views.
 * - `guarded`: the tables whose policies restrict somebody.
 * - `routine`: functions and procedures. `is_own`: `init --idempotency` has created it.
 * - `distributed`: the tables that Citus distributes over servers, and the number of the column by which it does.
 */
export const CATALOG: string = `WITH RECURSIVE stated AS (
  SELECT * FROM pg_catalog.jsonb_to_record($1::jsonb)
    AS subject(schemas text[], roles text[], anonymous text, channel text, publication text, replicates boolean)
), exposed AS (
  SELECT namespace.oid, namespace.nspname AS name
  FROM pg_catalog.pg_namespace AS namespace JOIN stated ON namespace.nspname = ANY (stated.schemas)
), known AS (
  SELECT member.oid, member.rolname AS name, pg_catalog.quote_ident(member.rolname) AS quoted, member.rolsuper,
    member.rolbypassrls, member.rolinherit, member.rolcanlogin, member.rolreplication,
    member.rolname IS NOT DISTINCT FROM stated.anonymous AS is_anonymous, member.rolname = session_user AS is_login
  FROM pg_catalog.pg_roles AS member JOIN stated ON member.rolname = ANY (stated.roles)
), role AS (
  SELECT * FROM known WHERE NOT rolsuper
), requester AS (
  SELECT * FROM role WHERE is_anonymous OR NOT is_login
), any_relation AS (
  SELECT class.oid, class.relname AS name, class.relkind AS kind, class.relowner AS owner, class.relrowsecurity,
    class.relforcerowsecurity, class.relispartition, class.reloptions, class.reltuples, namespace.oid AS schema,
    namespace.nspname AS schema_name, pg_catalog.format('%I.%I', namespace.nspname, class.relname) AS object
  FROM pg_catalog.pg_class AS class JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
  WHERE class.relkind IN ('r', 'p', 'v', 'm', 'f')
), own_relation AS (
  SELECT * FROM any_relation WHERE ('pg_catalog.pg_class'::pg_catalog.regclass, oid) NOT IN (${EXTENSION_OBJECT})
), relation AS (
  SELECT * FROM own_relation WHERE schema IN (SELECT oid FROM exposed)
), may AS (
  SELECT *, insert OR update OR delete AS write, read OR insert OR update OR delete AS use
  FROM (
    SELECT relation.oid, relation.object, role.oid AS role_oid, role.name AS role, role.quoted AS quoted_role,
      pg_catalog.has_any_column_privilege(role.oid, relation.oid, 'SELECT') AS read,
      pg_catalog.has_any_column_privilege(role.oid, relation.oid, 'INSERT') AS insert,
      pg_catalog.has_any_column_privilege(role.oid, relation.oid, 'UPDATE') AS update,
      pg_catalog.has_table_privilege(role.oid, relation.oid, 'DELETE') AS delete
    FROM relation CROSS JOIN role
    WHERE pg_catalog.has_schema_privilege(role.oid, relation.schema, 'USAGE')
  ) AS privilege
), routine AS (
  SELECT proc.oid, proc.prokind AS kind, proc.prosecdef AS is_definer, proc.provolatile AS volatility,
    proc.proconfig AS config, proc.prosqlbody IS NOT NULL AS is_resolved,
    namespace.oid IN (SELECT oid FROM exposed) AS is_exposed,
    proc.proname IN ('claim_idempotency_key', 'store_idempotent_response') AND namespace.oid IN (
      SELECT schema FROM any_relation WHERE name = 'idempotency_keys') AS is_own,
    pg_catalog.quote_ident(namespace.nspname) AS schema, namespace.oid AS schema_oid,
    pg_catalog.format('%I.%I(%s)', namespace.nspname, proc.proname,
      (SELECT pg_catalog.string_agg(pg_catalog.format_type(type, NULL), ', ' ORDER BY place)
       FROM pg_catalog.unnest(proc.proargtypes) WITH ORDINALITY AS argument(type, place))) AS object,
    EXISTS (
      SELECT FROM pg_catalog.aclexplode(coalesce(proc.proacl, pg_catalog.acldefault('f', proc.proowner))) AS grant_of
      WHERE grant_of.grantee = 0) AS is_public,
    EXISTS (
      SELECT FROM pg_catalog.aclexplode(proc.proacl) AS grant_of JOIN role ON role.oid = grant_of.grantee) AS is_granted
  FROM pg_catalog.pg_proc AS proc
  JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = proc.pronamespace
  WHERE proc.prokind IN ('f', 'p') AND namespace.nspname !~ '^pg_' AND namespace.nspname <> 'information_schema'
    AND proc.prorettype NOT IN ('trigger'::pg_catalog.regtype, 'event_trigger'::pg_catalog.regtype)
    AND ('pg_catalog.pg_proc'::pg_catalog.regclass, proc.oid) NOT IN (${EXTENSION_OBJECT})
), may_call AS (
  SELECT routine.*, role.oid AS role_oid, role.name AS role
  FROM routine JOIN role ON pg_catalog.has_function_privilege(role.oid, routine.oid, 'EXECUTE')
    AND pg_catalog.has_schema_privilege(role.oid, routine.schema_oid, 'USAGE')
), policy AS (
  SELECT policy.oid, relation.oid AS relation, relation.object, policy.polname::text AS policy,
    policy.polcmd AS command, policy.polpermissive AS is_permissive,
    pg_catalog.pg_get_expr(policy.polqual, policy.polrelid) AS qual,
    pg_catalog.pg_get_expr(policy.polwithcheck, policy.polrelid) AS checked,
    policy.polroles AS roles
  FROM pg_catalog.pg_policy AS policy JOIN relation ON relation.oid = policy.polrelid AND relation.relrowsecurity
), applied_policy AS (
  SELECT policy.*, may.role, may.role_oid, may.read, may.insert, may.update, may.delete
  FROM policy JOIN may ON may.oid = policy.relation AND (policy.roles = '{0}' OR EXISTS (
    SELECT FROM pg_catalog.unnest(policy.roles) AS named(oid) WHERE pg_catalog.pg_has_role(may.role_oid, named.oid, 'USAGE')))
), policy_call AS (
  SELECT depend.objid AS policy, proc.*
  FROM pg_catalog.pg_depend AS depend JOIN pg_catalog.pg_proc AS proc ON proc.oid = depend.refobjid
  WHERE depend.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass
    AND depend.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
), uses(view, relation) AS (
  SELECT rewrite.ev_class, depend.refobjid
  FROM pg_catalog.pg_rewrite AS rewrite
  JOIN any_relation ON any_relation.oid = rewrite.ev_class AND any_relation.kind IN ('v', 'm') AND any_relation.oid >= 16384
  JOIN pg_catalog.pg_depend AS depend
    ON depend.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND depend.objid = rewrite.oid
    AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid <> rewrite.ev_class
), reads(view, relation) AS (
  SELECT view, relation FROM uses
  UNION
  SELECT reads.view, uses.relation FROM reads JOIN uses ON uses.view = reads.relation
), guarded AS (
  SELECT * FROM any_relation
  WHERE relrowsecurity AND EXISTS (SELECT FROM pg_catalog.pg_policy AS any_policy WHERE any_policy.polrelid = any_relation.oid)
), distributed AS (
  SELECT entry[1]::pg_catalog.oid AS oid, entry[2]::pg_catalog.int2 AS attnum
  FROM pg_catalog.regexp_matches(
    CASE WHEN pg_catalog.to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL
      THEN pg_catalog.query_to_xml($query$${PARTITIONS}$query$, false, false, '')::pg_catalog.text END,
    '<oid>([0-9]+)</oid>\\s*(?:<attnum>([0-9]+)</attnum>)?', 'g') AS entry
)`;
