// Checks whether users have defined operators, casts or functions that a read of built-in types could invoke.
// PostgreSQL resolves them by name and types, and has no `json = json` or `avg(uuid)` of its own.

/** Operators used by filters (`sql/levels/condition.ts`) and JSON paths. */
const OPERATORS =
  "'=', '<>', '<', '<=', '>', '>=', '~~', '~~*', '~', '~*', '@>', '<@', '&&', '<<', '>>', '&<', '&>', '-|-', '@@', '->', '->>'";

/** Functions used by the statements for reads. */
const FUNCTIONS =
  "'avg', 'count', 'max', 'min', 'sum', 'array_agg', 'json_agg', 'json_build_array', 'jsonb_build_object', 'json_strip_nulls', " +
  "'row_to_json', 'to_json', 'to_jsonb', 'to_tsvector', 'to_tsquery', 'plainto_tsquery', 'phraseto_tsquery', 'websearch_to_tsquery'";

/** OIDs of built-in objects are lower. */
const FIRST_OID = 16_384;

/** Functions in C belong to extensions and leave nothing in the session. */
const IS_CODE = "language.lanname not in ('internal', 'c')";

/** An expression that is the same for all rows. User-defined types are ignored: built-in types never lead to them. */
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
