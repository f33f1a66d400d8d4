// A condition for other statements: whether the server can write the values of a type as JSON, given PostgreSQL's text
// of them (`postgres/results/spell-value.ts`).

/**
 * Renders the condition on a row of pg_type that is not a domain. PostgreSQL's JSON functions treat arrays, composite
 * types and types with a function that casts to json specially, the latter unless the type is built in (its OID is below
 * 16384). The values of all other types are numbers, booleans, dates, or the texts of their output functions.
 *
 * @param alias of the row
 */
export function renderIsSpelled(alias: string): string {
  return `(${alias}.typtype in ('b', 'e', 'r', 'm')
    and not (${alias}.typelem <> 0 and ${alias}.typsubscript = 'pg_catalog.array_subscript_handler'::regproc)
    and not (${alias}.oid >= 16384 and exists (
      select from pg_cast
      where castsource = ${alias}.oid and casttarget = 'pg_catalog.json'::regtype and castmethod = 'f'
    )))`;
}
