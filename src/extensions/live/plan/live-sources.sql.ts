// Selects everything that the rows of a read depend on: tables, through views, partitions, policies and functions whose
// bodies PostgreSQL has parsed (`beyond.md` §3.1b).

/**
 * `$1` and `$2` schemas and names of relations, `$3` oids of functions, `$4` the publication.
 *
 * Rows: oid, displayed name, kind (that of `pg_class`, or `F` for a function with an opaque body), whether only policies
 * use it, whether all its changes are published, its replica identity, and its columns: each with its name, the oid of its
 * type unless it is generated, the name of that type (`enum` for all enums, null for domains), and whether its equality
 * may mean something else than equal text.
 */
export const LIVE_SOURCES_SQL: string = `
with recursive sources (class, oid, is_policy) as (
  select 'pg_class'::regclass::oid, relation.oid, false
  from unnest($1::text[], $2::text[]) as named (schema, name)
  join pg_namespace namespace on namespace.nspname = named.schema
  join pg_class relation on relation.relnamespace = namespace.oid and relation.relname = named.name
  union
  select 'pg_proc'::regclass::oid, named.oid, false from unnest($3::oid[]) as named (oid)
  union
  select further.class, further.oid, further.is_policy
  from sources, lateral (
    select depend.refclassid, depend.refobjid, sources.is_policy
    from pg_rewrite rule
    join pg_depend depend on depend.classid = 'pg_rewrite'::regclass and depend.objid = rule.oid
    where sources.class = 'pg_class'::regclass and rule.ev_class = sources.oid and depend.refobjid <> sources.oid
    union all
    select depend.refclassid, depend.refobjid, true
    from pg_policy policy
    join pg_depend depend on depend.classid = 'pg_policy'::regclass and depend.objid = policy.oid
    where sources.class = 'pg_class'::regclass and policy.polrelid = sources.oid
      -- Policies also depend on columns of their own table. Only a subquery reads other rows.
      and (depend.refobjid <> policy.polrelid
        or concat(policy.polqual::text, policy.polwithcheck::text) like '%:relid ' || policy.polrelid || ' %')
    union all
    select depend.refclassid, depend.refobjid, sources.is_policy
    from pg_depend depend
    where sources.class = 'pg_proc'::regclass and depend.classid = 'pg_proc'::regclass and depend.objid = sources.oid
    union all
    select 'pg_class'::regclass::oid, inheritance.inhrelid, sources.is_policy
    from pg_inherits inheritance
    where sources.class = 'pg_class'::regclass and inheritance.inhparent = sources.oid
  ) as further (class, oid, is_policy)
  where further.class in ('pg_class'::regclass, 'pg_proc'::regclass)
),
used (class, oid, is_policy) as (select class, oid, bool_and(is_policy) from sources group by class, oid)
select relation.oid::text, concat(namespace.nspname, '.', relation.relname), relation.relkind::text, used.is_policy::text,
  (relation.relpersistence = 'p' and publication.pubinsert and publication.pubupdate and publication.pubdelete
    and publication.pubtruncate and not publication.pubviaroot
    and exists (select from pg_publication_tables published
      where published.pubname = publication.pubname and published.schemaname = namespace.nspname
        and published.tablename = relation.relname)
    and not exists (select from pg_publication_rel listed
      where listed.prpubid = publication.oid and listed.prrelid = relation.oid
        and coalesce(to_jsonb(listed) ->> 'prattrs', to_jsonb(listed) ->> 'prqual') is not null)) is true,
  relation.relreplident::text,
  coalesce((select json_agg(json_build_array(
      attribute.attname,
      case attribute.attgenerated when '' then attribute.atttypid::bigint end,
      case type.typtype when 'e' then 'enum' when 'd' then null else format_type(type.oid, null) end,
      sorting.oid is not null) order by attribute.attnum)
    from pg_attribute attribute
    join pg_type type on type.oid = attribute.atttypid
    left join pg_collation sorting on sorting.oid = attribute.attcollation and not sorting.collisdeterministic
    where attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped), '[]')::text
from used
join pg_class relation on relation.oid = used.oid
join pg_namespace namespace on namespace.oid = relation.relnamespace
left join pg_publication publication on publication.pubname = $4
where used.class = 'pg_class'::regclass and relation.relkind in ('r', 'p', 'v', 'm', 'f')
union all
select routine.oid::text, routine.oid::regprocedure::text, 'F', used.is_policy::text, false, 'n', '[]'
from used
join pg_proc routine on routine.oid = used.oid
where used.class = 'pg_proc'::regclass and routine.provolatile <> 'i' and routine.prosqlbody is null
order by 2`;

/** `$1` oids of tables. Rows: the oid of a table and of one of its ancestors. */
export const ANCESTORS_SQL: string = `
with recursive lines (oid, ancestor) as (
  select named.oid, named.oid from unnest($1::oid[]) as named (oid)
  union
  select lines.oid, inheritance.inhparent from lines join pg_inherits inheritance on inheritance.inhrelid = lines.ancestor
)
select oid::text, ancestor::text from lines where oid <> ancestor`;
