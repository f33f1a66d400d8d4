// Selects the comments of constraints, which replace PostgreSQL's messages (`beyond.md` §5.3).

/**
 * `$1` exposed schemas. Rows: schema and name of the table or domain, name of the constraint, its comment or that of the
 * constraint it inherits from, oid of the table or of one it inherits from (null for a domain), attribute numbers of the
 * constraint's columns there as JSON array. A domain inherits from the domain it is based on. Domains of other schemas are
 * omitted.
 */
export const CONSTRAINT_COMMENTS_SQL: string = `
with recursive commented (oid, relation, domain, name, columns, comment) as (
  select c.oid, c.conrelid, c.contypid, c.conname, c.conkey, d.description
  from pg_description d
  join pg_constraint c on c.oid = d.objoid
  where d.classoid = 'pg_constraint'::regclass
  union all
  select child.oid, child.conrelid, child.contypid, child.conname, child.conkey, parent.comment
  from commented parent
  join lateral (
    select c.oid, c.conrelid, c.contypid, c.conname, c.conkey from pg_constraint c where c.conparentid = parent.oid
    union all
    select null, 0, domain.oid, parent.name, parent.columns
    from pg_type domain
    where domain.typbasetype = parent.domain and parent.domain <> 0
    union all
    select c.oid, c.conrelid, c.contypid, c.conname, c.conkey
    from pg_inherits
    join pg_constraint c on c.conrelid = inhrelid
    where inhparent = parent.relation and c.conname = parent.name and c.contype in ('c', 'n')
  ) child on not exists (
    select from pg_description d where d.classoid = 'pg_constraint'::regclass and d.objoid = child.oid
  )
), lineage (oid, ancestor) as (
  select relation, relation from commented where relation <> 0
  union
  select lineage.oid, inhparent from lineage join pg_inherits on inhrelid = lineage.ancestor
)
select namespace.nspname, coalesce(class.relname, type.typname), c.name, c.comment, lineage.ancestor::text, (
  select coalesce(json_agg(there.attnum order by position), '[]')::text
  from unnest(c.columns) with ordinality key (number, position)
  join pg_attribute own on own.attrelid = c.relation and own.attnum = key.number
  join pg_attribute there on there.attrelid = lineage.ancestor and there.attname = own.attname
)
from (select distinct on (relation, domain, name) * from commented order by relation, domain, name, comment) c
left join pg_class class on class.oid = c.relation
left join pg_type type on type.oid = c.domain
join pg_namespace namespace on namespace.oid = coalesce(class.relnamespace, type.typnamespace)
left join lineage on lineage.oid = c.relation
where class.oid is not null or namespace.nspname = any ($1::text[])
order by lineage.ancestor <> c.relation, lineage.ancestor`;
