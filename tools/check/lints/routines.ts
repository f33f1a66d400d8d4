// The functions and procedures of the exposed schemas and beside them.

/** Table expression `routine`: without those of extensions and of the system, and without trigger functions. */
export const ROUTINES = `, routine AS (
  SELECT proc.oid, proc.prosecdef AS is_definer, proc.provolatile AS volatility, proc.proconfig AS config,
    proc.prosqlbody IS NOT NULL AS is_resolved, namespace.oid IN (SELECT oid FROM exposed) AS is_exposed,
    pg_catalog.quote_ident(namespace.nspname) AS schema, namespace.oid AS schema_oid,
    pg_catalog.format('%I.%I(%s)', namespace.nspname, proc.proname,
      (SELECT pg_catalog.string_agg(pg_catalog.format_type(type, NULL), ', ' ORDER BY place)
       FROM pg_catalog.unnest(proc.proargtypes) WITH ORDINALITY AS argument(type, place))) AS object,
    EXISTS (
      SELECT FROM pg_catalog.aclexplode(coalesce(proc.proacl, pg_catalog.acldefault('f', proc.proowner))) AS grant_of
      WHERE grant_of.grantee = 0) AS is_public,
    ARRAY(
      SELECT role.name FROM pg_catalog.aclexplode(proc.proacl) AS grant_of JOIN role ON role.oid = grant_of.grantee
    ) AS granted
  FROM pg_catalog.pg_proc AS proc
  JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = proc.pronamespace
  WHERE proc.prokind IN ('f', 'p') AND namespace.nspname !~ '^pg_' AND namespace.nspname <> 'information_schema'
    AND proc.prorettype NOT IN ('trigger'::pg_catalog.regtype, 'event_trigger'::pg_catalog.regtype)
    AND ('pg_catalog.pg_proc'::pg_catalog.regclass, proc.oid) NOT IN (SELECT classid, objid FROM extension_object)
)`;
