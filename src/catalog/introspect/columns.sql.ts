// Selects every column of the relations of the exposed schemas, in attribute order (`operating.md` §5.3).
import { DOMAINS_CTE } from './domains.sql.ts';
import { renderIsSpelled } from './spelled-types.sql.ts';

/**
 * `$1` exposed schemas. Rows: relation oid, attribute number, name, comment, is nullable, type, nominal type, maximum
 * length, default, enum labels as JSON array, is generated, can be spelled by the server.
 */
export const COLUMNS_SQL: string = `
with recursive ${DOMAINS_CTE},
  enums (oid, labels) as (
    select enumtypid, json_agg(enumlabel order by enumsortorder)::text from pg_enum group by enumtypid
  ),
  identities (relation, attribute, sequence) as materialized (
    select refobjid, refobjsubid, objid
    from pg_depend
    where deptype = 'i' and classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and refobjsubid > 0
  )
select attribute.attrelid::text, attribute.attnum::text, attribute.attname::text, comment.description,
  (relation.relkind in ('v', 'm') or not (attribute.attnotnull or coalesce(domains.is_not_null, false)))::text,
  case
    when domains.oid is not null and base.typnamespace <> 'pg_catalog'::regnamespace then format_type(declared.oid, null)
    when base.typnamespace = 'pg_catalog'::regnamespace then format_type(base.oid, null)
    else format_type(declared.oid, attribute.atttypmod)
  end,
  format_type(declared.oid, attribute.atttypmod),
  case
    when width.modifier < 0 then null
    when width.type in ('character'::regtype, 'character varying'::regtype) then (width.modifier - 4)::text
    when width.type in ('bit'::regtype, 'bit varying'::regtype) then width.modifier::text
  end,
  case
    when attribute.attgenerated <> '' then null
    when attribute.attidentity = 'd' then format('nextval(%L)', identities.sequence::regclass)
    when own_default.adbin is not null then pg_get_expr(own_default.adbin, 0)
    else pg_get_expr(declared.typdefaultbin, 0)
  end,
  enums.labels,
  (attribute.attgenerated <> '' or attribute.attidentity = 'a')::text,
  ${renderIsSpelled('base')}::text
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
join pg_attribute attribute on attribute.attrelid = relation.oid
join pg_type declared on declared.oid = attribute.atttypid
cross join lateral (
  select case declared.typtype when 'd' then declared.typbasetype else declared.oid end as type,
    case declared.typtype when 'd' then declared.typtypmod else attribute.atttypmod end as modifier
) width
left join domains on domains.oid = declared.oid
join pg_type base on base.oid = coalesce(domains.base, declared.oid)
left join enums on enums.oid = base.oid
left join identities on attribute.attidentity = 'd'
  and identities.relation = attribute.attrelid and identities.attribute = attribute.attnum
left join pg_attrdef own_default on own_default.adrelid = attribute.attrelid and own_default.adnum = attribute.attnum
left join pg_description comment
  on comment.objoid = attribute.attrelid and comment.classoid = 'pg_class'::regclass and comment.objsubid = attribute.attnum
where namespace.nspname = any ($1::text[])
  and relation.relkind in ('r', 'p', 'v', 'm', 'f')
  and not relation.relispartition
  and attribute.attnum > 0
  and not attribute.attisdropped
order by attribute.attrelid, attribute.attnum`;
