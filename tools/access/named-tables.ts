// Which tables a function may read: PostgreSQL records those of bodies in standard SQL, and of others has only the text.

/**
 * Renders a condition that holds if a function names a table.
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
