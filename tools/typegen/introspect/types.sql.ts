// Reads every type whose values are not a plain text or number, by the name that columns and parameters use.

/**
 * Rows: type as `format_type` prints it, kind (`array`, `domain`, `enum`, `composite`, `pseudo`, or `json` for a type
 * with a function that casts it to JSON), schema, name, element or base type, forbids null, enum labels as JSON array,
 * names and types of fields as JSON arrays, is a free-standing composite type (not the row type of a relation).
 */
export const TYPES_SQL: string = `
with types as (
  select type.*,
    element.oid as element,
    type.typtype in ('b', 'e') and exists (
      select from pg_cast
      where castsource = type.oid and casttarget = 'json'::regtype and castmethod = 'f'
    ) and type.oid >= 16384 as is_cast_to_json
  from pg_type type
  left join pg_type element on element.oid = type.typelem and type.typlen = -1
)
select format_type(types.oid, null),
  case
    when element is not null then 'array'
    when is_cast_to_json then 'json'
    else case typtype when 'd' then 'domain' when 'e' then 'enum' when 'c' then 'composite' else 'pseudo' end
  end,
  namespace.nspname::text, typname::text,
  format_type(coalesce(element, nullif(typbasetype, 0)), null), typnotnull::text,
  (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = types.oid)::text,
  fields.names, fields.types,
  coalesce(relation.relkind = 'c', false)::text
from types
join pg_namespace namespace on namespace.oid = typnamespace
left join pg_class relation on relation.oid = typrelid
left join lateral (
  select json_agg(attname order by attnum)::text as names, json_agg(format_type(atttypid, null) order by attnum)::text as types
  from pg_attribute
  where attrelid = typrelid and attnum > 0 and not attisdropped
) fields on typrelid <> 0
where (typtype in ('d', 'e', 'c', 'p') or element is not null or is_cast_to_json)
  and namespace.nspname <> 'pg_toast'`;
