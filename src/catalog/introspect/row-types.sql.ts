// Selects what PostgreSQL finds in the rows of relations, and in those that functions return.
import { renderDomainsCte } from './domains.sql.ts';

/** Types of arguments that accept every row. */
const ANY_ROW = "'record', 'anyelement', 'anynonarray', 'anycompatible', 'anycompatiblenonarray'";

/**
 * `$1` exposed schemas, `$2` extra search path. Rows: oid in pg_class, the names of columns unless the relation is
 * exposed, and the names of functions whose only argument is such a row, a row of a table that it inherits from, or any
 * row, both as JSON arrays or null. Exposed relations without such functions are left out.
 */
export const ROW_TYPES_SQL: string = `
with recursive
  functions (name, argument) as (
    select function.proname, function.proargtypes[0]
    from pg_proc function
    join pg_namespace namespace on namespace.oid = function.pronamespace
    where namespace.nspname = any ($1::text[] || $2::text[]) and function.pronargs = 1 and function.prokind = 'f'
  ),
  results (oid) as (
    select distinct function.prorettype
    from pg_proc function
    join pg_namespace namespace on namespace.oid = function.pronamespace
    where namespace.nspname = any ($1::text[]) and function.prokind = 'f'
  ),
  ${renderDomainsCte('oid in (select results.oid from results)')},
  returned (relation, type) as (
    select row_type.typrelid, results.oid
    from results
    left join domains on domains.oid = results.oid
    join pg_type row_type on row_type.oid = coalesce(domains.base, results.oid) and row_type.typtype = 'c'
  ),
  subjects (relation, is_exposed) as (
    select relation.oid, true
    from pg_class relation
    join pg_namespace namespace on namespace.oid = relation.relnamespace
    where namespace.nspname = any ($1::text[]) and relation.relkind in ('r', 'p', 'v', 'm', 'f')
      and not relation.relispartition
    union all
    select distinct returned.relation, false
    from returned
    join pg_class relation on relation.oid = returned.relation
    join pg_namespace namespace on namespace.oid = relation.relnamespace
    where relation.relkind = 'c' or relation.relispartition or namespace.nspname <> all ($1::text[])
  ),
  families (relation, member) as (
    select subjects.relation, subjects.relation from subjects
    union
    select families.relation, pg_inherits.inhparent
    from families
    join pg_inherits on pg_inherits.inhrelid = families.member
  ),
  types (relation, type) as (
    select families.relation, unnest(array[member.reltype, member.reloftype])
    from families
    join pg_class member on member.oid = families.member
    union all
    select returned.relation, returned.type from returned
    union all
    select subjects.relation, any_row.oid
    from subjects
    cross join (
      select oid from pg_type
      where typnamespace = 'pg_catalog'::regnamespace and typname in (${ANY_ROW})
        and oid in (select functions.argument from functions)
    ) any_row
  ),
  computed (relation, names) as (
    select types.relation, json_agg(distinct functions.name)::text
    from types
    join functions on functions.argument = types.type
    group by types.relation
  )
select subjects.relation::text,
  case when not subjects.is_exposed then (
    select coalesce(json_agg(attribute.attname), '[]')::text
    from pg_attribute attribute
    where attribute.attrelid = subjects.relation and attribute.attnum > 0 and not attribute.attisdropped
  ) end,
  computed.names
from subjects
left join computed on computed.relation = subjects.relation
where computed.names is not null or not subjects.is_exposed`;
