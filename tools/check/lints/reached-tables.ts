// Which tables the views of the API read, also through other views.

/** Table expressions `reads(view, relation)` and `guarded(oid, object)`: tables whose policies restrict somebody. */
export const REACHED_TABLES = `, uses(view, relation) AS (
  SELECT rewrite.ev_class, depend.refobjid
  FROM pg_catalog.pg_rewrite AS rewrite
  JOIN pg_catalog.pg_class AS class ON class.oid = rewrite.ev_class AND class.relkind IN ('v', 'm') AND class.oid >= 16384
  JOIN pg_catalog.pg_depend AS depend
    ON depend.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND depend.objid = rewrite.oid
    AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid <> rewrite.ev_class
), reads(view, relation) AS (
  SELECT view, relation FROM uses
  UNION
  SELECT reads.view, uses.relation FROM reads JOIN uses ON uses.view = reads.relation
), guarded AS (
  SELECT class.oid, class.relowner AS owner, class.relforcerowsecurity AS is_forced,
    pg_catalog.format('%I.%I', namespace.nspname, class.relname) AS object
  FROM pg_catalog.pg_class AS class JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
  WHERE class.relrowsecurity AND EXISTS (SELECT FROM pg_catalog.pg_policy AS any_policy WHERE any_policy.polrelid = class.oid)
)`;
