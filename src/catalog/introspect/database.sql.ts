// Selects facts about the whole database, the configured schemas and implicit casts.
import { DOMAINS_CTE } from './domains.sql.ts';
import { renderIsSpelled } from './spelled-types.sql.ts';

/**
 * One row: the server encoding, and the names of the types whose values PostgreSQL prints as names of other objects:
 * `regclass`, `regrole` and the like, built-in composite types that contain one, and arrays and domains over them. OIDs
 * of built-in objects are below 16384. Then the operators that measure the distance of two values of one type, each as a
 * JSON array of operator, type, schema and the type that the operator takes, which differs for a domain. Then the OIDs
 * of the types whose values the server can write as JSON, the number of PostgreSQL's version, whether there is a
 * function that makes GeoJSON (PostGIS), and whether tables may have shards (Citus).
 */
export const DATABASE_SQL: string = `
with recursive ${DOMAINS_CTE},
name_types (oid) as (
  select oid from pg_type where typnamespace = 'pg_catalog'::regnamespace and starts_with(typname, 'reg') and typtype = 'b'
  union
  select derived.oid
  from name_types
  join (
    select oid, typelem as base from pg_type where typcategory = 'A'
    union all
    select oid, typbasetype from pg_type where typtype = 'd'
    union all
    select relation.reltype, attribute.atttypid
    from pg_attribute attribute
    join pg_class relation on relation.oid = attribute.attrelid
    where attribute.attrelid < 16384 and attribute.attnum > 0
  ) derived on derived.base = name_types.oid
)
select current_setting('server_encoding'), (
  select json_agg(distinct type.typname) from name_types join pg_type type on type.oid = name_types.oid
), (
  select json_agg(
    json_build_array(oprname, format_type(measured.oid, null), nspname, format_type(oprleft, null))::text
    order by nspname
  )
  from pg_operator
  join (
    select oid, oid as base from pg_type
    union all
    select oid, base from domains
  ) measured on measured.base = oprleft
  join pg_namespace on pg_namespace.oid = oprnamespace
  join pg_type result on result.oid = oprresult
  where oprname in ('<->', '<=>', '<+>', '<#>') and oprleft = oprright and result.typcategory = 'N'
), (
  select json_agg(type.oid::int8 order by type.oid) from pg_type type where ${renderIsSpelled('type')}
), current_setting('server_version_num'), exists (select from pg_proc where proname = 'st_asgeojson')::text,
  (to_regclass('pg_catalog.pg_dist_partition') is not null)::text`;

/**
 * Selects the configured schemas with their comments. Fails with SQLSTATE 3F000 if one does not exist. `$1` exposed
 * schemas, `$2` extra search path. Rows: name, is exposed, comment.
 */
export const SCHEMAS_SQL: string = `
select configured.name, configured.is_exposed::text,
  obj_description(quote_ident(configured.name)::regnamespace, 'pg_namespace')
from (
  select name, true as is_exposed from unnest($1::text[]) name
  union all
  select name, false from unnest($2::text[]) name
) configured`;

/**
 * Selects implicit casts by function between a domain and json or text, if the login role may execute the function.
 * Rows: source type, target type, schema and name of the function.
 */
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
