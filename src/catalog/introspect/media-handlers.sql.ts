// Selects functions and aggregates of the exposed schemas that return a media type domain (`writing.md` §15.5).
import { DOMAINS_CTE } from './domains.sql.ts';

/**
 * `$1` exposed schemas. Rows: schema and name, is an aggregate, name of the domain, is binary, schema and name of the
 * relation whose rows an aggregate takes (null means every element).
 */
export const MEDIA_HANDLERS_SQL: string = `
with recursive ${DOMAINS_CTE},
  media_types (oid, name, is_binary) as (
    select domain.oid, domain.typname, domains.base = 'bytea'::regtype
    from domains
    join pg_type domain on domain.oid = domains.oid
    where domain.typname ~ '^[A-Za-z0-9.-]+/[A-Za-z0-9.+-]+$' or domain.typname = '*/*'
  )
select namespace.nspname::text, handler.proname::text, (handler.prokind = 'a')::text,
  media_types.name::text, media_types.is_binary::text,
  element_namespace.nspname::text, element.relname::text
from pg_proc handler
join media_types on media_types.oid = handler.prorettype
join pg_namespace namespace on namespace.oid = handler.pronamespace
left join pg_aggregate aggregate on aggregate.aggfnoid = handler.oid
left join pg_type argument on handler.pronargs = 1 and argument.oid = handler.proargtypes[0]
left join pg_class element on element.oid = argument.typrelid and element.relkind in ('r', 'p', 'v', 'm', 'f')
left join pg_namespace element_namespace on element_namespace.oid = element.relnamespace
where namespace.nspname = any ($1::text[])
  and (handler.prokind = 'f' and not handler.proretset
      and not coalesce(handler.proargmodes && '{o,b,t}'::"char"[], false)
    or aggregate.aggkind = 'n' and (element.oid is not null or argument.oid = 'anyelement'::regtype))
order by namespace.nspname, handler.proname, handler.oid`;
