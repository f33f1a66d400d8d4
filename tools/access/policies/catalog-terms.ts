// The terms of queries on the catalogs that concern privileges and policies.

/** Renders a condition that holds if a view reads its tables as the role that queries it. @param class_ alias of `pg_class` */
export function isInvoker(class_: string): string {
  return `EXISTS (SELECT FROM pg_catalog.pg_options_to_table(${class_}.reloptions)
    WHERE option_name = 'security_invoker' AND option_value::boolean)`;
}

/** Renders a condition that holds if a policy applies to a role. @param role its OID or name */
export function appliesTo(policy: string, role: string): string {
  return `EXISTS (SELECT FROM pg_catalog.unnest(${policy}.polroles) AS named (oid)
    WHERE named.oid = 0 OR pg_catalog.pg_has_role(${role}, named.oid, 'USAGE'))`;
}

/** Renders a condition that holds if row-level security restricts a role. @param role alias of `pg_roles` */
export function isRestricted(class_: string, role: string): string {
  return `(${class_}.relrowsecurity AND NOT ${role}.rolsuper AND NOT ${role}.rolbypassrls
    AND (${class_}.relforcerowsecurity OR NOT pg_catalog.pg_has_role(${role}.oid, ${class_}.relowner, 'USAGE')))`;
}

/** The relations that views name in their queries, as (view, relation). */
export const VIEW_USES = `SELECT DISTINCT rewrite.ev_class, depend.refobjid
  FROM pg_catalog.pg_rewrite AS rewrite
  JOIN pg_catalog.pg_class AS class ON class.oid = rewrite.ev_class AND class.relkind = 'v'
  JOIN pg_catalog.pg_depend AS depend
    ON depend.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND depend.objid = rewrite.oid
    AND depend.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND depend.refobjid <> rewrite.ev_class`;

/**
 * Renders a condition that holds if a function names a table. PostgreSQL records the tables of bodies in standard SQL, and
 * of others has only the text.
 *
 * @param proc alias of `pg_proc`
 * @param class_ alias of `pg_class`
 */
export function renderNames(proc: string, class_: string): string {
  const escaped = String.raw`pg_catalog.regexp_replace(${class_}.relname, '([^\w])', '\\\1', 'g')`;
  const word = `'(^|[^\\w$])' || ${escaped} || '($|[^\\w$])'`;
  // The name of a setting, such as request.jwt.claims, is none of a table.
  const source = `pg_catalog.regexp_replace(${proc}.prosrc, '''([^'']|'''')*''', '''''''', 'g')`;
  return `(${source} ~* (${word}) OR EXISTS (
    SELECT FROM pg_catalog.pg_depend AS named WHERE named.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
    AND named.objid = ${proc}.oid AND named.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
    AND named.refobjid = ${class_}.oid))`;
}
