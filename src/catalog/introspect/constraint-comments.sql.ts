// Selects the comments of constraints, which replace PostgreSQL's messages (`beyond.md` §5.3).

/**
 * `$1` exposed schemas. Rows: schema and name of the table or domain, name of the constraint, its comment or that of the
 * constraint it inherits from, oid of the table or of one it inherits from (null for a domain), attribute numbers of the
 * constraint's columns there as JSON array. A domain inherits from the domain it is based on. Domains of other schemas are
 * omitted.
 *
 * Databases without ANALYZE are common, and there a lateral join in the recursion is planned for millions of rows, and
 * scans the catalogs once per constraint. `link` therefore reads the catalogs once, for all steps, and only if a
 * constraint has a comment.
 */
export const CONSTRAINT_COMMENTS_SQL: string = `
with recursive described as materialized (
  select objoid as oid, description as comment from pg_description where classoid = 'pg_constraint'::regclass
), link (kind, parent, oid, relation, domain, name, columns) as materialized (
  select 'table', conparentid, oid, conrelid, 0::oid, conname, conkey from pg_constraint where conparentid <> 0
  union all
  select 'table', parent.oid, child.oid, child.conrelid, 0, child.conname, child.conkey
  from pg_inherits
  join pg_constraint parent on parent.conrelid = inhparent and parent.contypid = 0
  join pg_constraint child on child.conrelid = inhrelid and child.contypid = 0 and child.conname = parent.conname
  where child.contype in ('c', 'n')
  union all
  select 'domain', typbasetype, null, 0, oid, null, null from pg_type where typbasetype <> 0
), commented (kind, key, relation, domain, name, columns, comment) as (
  select case contypid when 0 then 'table' else 'domain' end, case contypid when 0 then c.oid else contypid end,
    conrelid, contypid, conname, conkey, comment
  from described
  join pg_constraint c on c.oid = described.oid
  union all
  select link.kind, coalesce(link.oid, link.domain), link.relation, link.domain, coalesce(link.name, parent.name),
    coalesce(link.columns, parent.columns), parent.comment
  from commented parent
  join link on link.parent = parent.key and link.kind = parent.kind
  where not exists (select from described where described.oid = link.oid)
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
