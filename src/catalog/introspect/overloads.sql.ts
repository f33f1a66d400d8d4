// Whether users have defined operators, casts or functions that a read of PostgreSQL's own types may come to: they are
// found by name and types, and PostgreSQL has none of its own for `json = json` or `avg(uuid)`.

/** Those of filters (`sql/condition.ts`) and of the paths into JSON. */
const OPERATORS =
  "'=', '<>', '<', '<=', '>', '>=', '~~', '~~*', '~', '~*', '@>', '<@', '&&', '<<', '>>', '&<', '&>', '-|-', '@@', '->', '->>'";

/** Those of the statements for reads. */
const FUNCTIONS =
  "'avg', 'count', 'max', 'min', 'sum', 'array_agg', 'json_agg', 'json_build_array', 'jsonb_build_object', 'json_strip_nulls', " +
  "'row_to_json', 'to_json', 'to_jsonb', 'to_tsvector', 'to_tsquery', 'plainto_tsquery', 'phraseto_tsquery', 'websearch_to_tsquery'";

/** What comes with PostgreSQL has a lower number. */
const FIRST_OID = 16_384;

/** What is written in C belongs to extensions, and leaves nothing in the session. */
const IS_CODE = "language.lanname not in ('internal', 'c')";

/** An expression, the same for all rows. Types of others cannot be reached from PostgreSQL's own. */
export const HAS_OVERLOADS_SQL: string = `(
  select exists (
    select from pg_operator operator
    join pg_proc routine on routine.oid = operator.oprcode
    join pg_language language on language.oid = routine.prolang
    where operator.oid >= ${FIRST_OID} and ${IS_CODE} and operator.oprname in (${OPERATORS})
      and exists (
        select from pg_type type
        where type.oid in (operator.oprleft, operator.oprright) and type.typnamespace = 'pg_catalog'::regnamespace
      )
  ) or exists (
    select from pg_proc routine
    join pg_language language on language.oid = routine.prolang
    where routine.oid >= ${FIRST_OID} and routine.proname in (${FUNCTIONS})
      and (routine.prokind = 'a' or ${IS_CODE})
      and not exists (
        select from pg_type type
        where type.oid = routine.proargtypes[0] and type.typtype = 'b' and type.typnamespace <> 'pg_catalog'::regnamespace
      )
  ) or exists (
    select from pg_cast conversion
    join pg_proc routine on routine.oid = conversion.castfunc
    join pg_language language on language.oid = routine.prolang
    join pg_type source on source.oid = conversion.castsource
    where conversion.oid >= ${FIRST_OID} and ${IS_CODE} and conversion.castcontext = 'i'
      and source.typnamespace = 'pg_catalog'::regnamespace
  )
)`;
