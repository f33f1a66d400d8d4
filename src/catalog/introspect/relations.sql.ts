// Selects every relation of the exposed schemas that can be a route, without its columns, and the queries of views.
import { HAS_OVERLOADS_SQL } from './overloads.sql.ts';
import { WRITE_CODE_CTE } from './write-code.sql.ts';

/** 2 MiB. */
const SMALL_PAGES = 256;
/** PostgreSQL writes fewer rows, or rows of values that are longer on average, as JSON cheaper than the server. */
const FEW_ROWS = 200;
const LONG_VALUE_BYTES = 32;
const PAGE_BYTES = 8192;
/** With its pointer. */
const ROW_HEADER_BYTES = 28;

/**
 * `$1` exposed schemas. Rows: oid, schema, name, relkind, comment, and the bits of accepted commands (views, foreign
 * tables), then these flags: reading its rows runs user-defined code (policies or overloads); writes run no such code;
 * updates and deletes change no other tables; it was small when its statistics were last updated (0 pages: never); it
 * had few rows or long values then; some values are computed on read (virtual generated columns, from PostgreSQL 18 on); tables other than partitions inherit
 * from it; one of its partitions or inheriting tables, at any depth, is a foreign table. Policies of those do not
 * count, because PostgreSQL applies only the policies of the table named in the query.
 */
export const RELATIONS_SQL: string = `
with recursive ${WRITE_CODE_CTE},
  foreign_parents (relation) as (
    select inherits.inhparent
    from pg_inherits inherits
    join pg_class child on child.oid = inherits.inhrelid and child.relkind = 'f'
    union
    select inherits.inhparent
    from pg_inherits inherits
    join foreign_parents on foreign_parents.relation = inherits.inhrelid
  )
select relation.oid::text, namespace.nspname::text, relation.relname::text, relation.relkind::text, comment.description,
  case when relation.relkind in ('v', 'f') then pg_relation_is_updatable(relation.oid, true)::text end,
  (relation.relrowsecurity or ${HAS_OVERLOADS_SQL})::text,
  (relation.relkind = 'r' and relation.oid not in (select coded.relation from coded))::text,
  (relation.oid not in (select cascading.relation from cascading))::text,
  (relation.relkind in ('r', 'm') and not inherited.has_inheritors and relation.relpages > 0
    and relation.relpages + coalesce(toast.relpages, 0) <= ${SMALL_PAGES})::text,
  (relation.relkind in ('r', 'm') and not inherited.has_inheritors and relation.relpages > 0 and (
    relation.reltuples between 0 and ${FEW_ROWS - 1}
    or (relation.relpages + coalesce(toast.relpages, 0))::float8 * ${PAGE_BYTES}
      > relation.reltuples * (${ROW_HEADER_BYTES} + relation.relnatts * ${LONG_VALUE_BYTES})))::text,
  (exists (select from pg_attribute attribute where attribute.attrelid = relation.oid and attribute.attgenerated = 'v'))::text,
  inherited.has_inheritors::text,
  (relation.oid in (select foreign_parents.relation from foreign_parents))::text
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
cross join lateral (
  select relation.relkind <> 'p' and exists (select from pg_inherits where inhparent = relation.oid) as has_inheritors
) inherited
left join pg_class toast on toast.oid = relation.reltoastrelid
left join pg_description comment
  on comment.objoid = relation.oid and comment.classoid = 'pg_class'::regclass and comment.objsubid = 0
where namespace.nspname = any ($1::text[])
  and relation.relkind in ('r', 'p', 'v', 'm', 'f')
  and not relation.relispartition
  -- Views of Citus about its servers, which it creates in the schema public.
  and relation.oid not in (
    select member.objid
    from pg_depend member
    join pg_extension extension on extension.oid = member.refobjid and extension.extname = 'citus'
    where member.refclassid = 'pg_extension'::regclass and member.classid = 'pg_class'::regclass and member.deptype = 'e')
order by namespace.nspname, relation.relname`;

/**
 * Selects the parsed queries of the views through which columns may be traced to base tables. `$1` exposed schemas,
 * `$2` extra search path. Rows: view oid, its query as a printed node tree.
 */
export const VIEWS_SQL: string = `
select relation.oid::text, rule.ev_action::text
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
join pg_rewrite rule on rule.ev_class = relation.oid and rule.rulename = '_RETURN'
where namespace.nspname = any ($1::text[] || $2::text[])
  and relation.relkind in ('v', 'm')`;
