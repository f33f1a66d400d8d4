/**
 * Selects how Citus spreads tables over its nodes: by a column, as a whole, or as a copy on each node. Then, with a null
 * in place of the table, the settings of requests that code in the database names, whose values the other nodes need.
 * Settings of the application count as one, `app.settings`; `DateStyle` is there if it is ISO. Needs Citus. Rows: oid of
 * the table, distribution column (null unless spread by one) or name of the setting, group of tables whose shards are
 * together, whether each node has a copy.
 */
export const SHARDS_SQL: string = `
with code (text) as (
  select prosrc from pg_proc where pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  union all
  select pg_get_functiondef(oid) from pg_proc where prosqlbody is not null and oid >= 16384
  union all
  select concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy
  union all
  select pg_get_expr(adbin, adrelid) from pg_attrdef
  union all
  select pg_get_viewdef(oid) from pg_class where relkind in ('v', 'm') and oid >= 16384
)
select logicalrelid::oid::text, case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end,
  colocationid::text, (repmodel = 't')::text
from pg_dist_partition
where partmethod = 'h' or repmodel = 't' or colocationid <> 0
union all
select null, name, null, null
from (values ('request.jwt.claims'), ('request.method'), ('request.path'), ('request.headers'), ('request.cookies'),
  ('app.settings')) settings (name)
where exists (select from code where strpos(text, name) > 0)
union all
select null, 'DateStyle', null, null where current_setting('DateStyle') like 'ISO%'`;
