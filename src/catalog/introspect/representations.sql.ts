// Selects implicit casts by function between a domain and json or text, if the login role may execute the function.

/** Rows: source type, target type, schema and name of the function. */
export const REPRESENTATIONS_SQL: string = `
select format_type(conversion.castsource, null), format_type(conversion.casttarget, null),
  namespace.nspname::text, function.proname::text
from pg_cast conversion
join pg_type source on source.oid = conversion.castsource
join pg_type target on target.oid = conversion.casttarget
join pg_proc function on function.oid = conversion.castfunc
join pg_namespace namespace on namespace.oid = function.pronamespace
where conversion.castcontext = 'i'
  and conversion.castmethod = 'f'
  and (source.typtype = 'd' and target.oid in ('json'::regtype, 'text'::regtype)
    or target.typtype = 'd' and source.oid in ('json'::regtype, 'text'::regtype))
  and has_function_privilege(function.oid, 'execute')`;
