// Reads the columns of exposed relations: their types by identity, and whether they can be written.

/**
 * `$1` exposed schemas. Rows: schema, relation, column, type as `format_type` prints it without modifiers, relation
 * oid, attribute number, whether it can be written. A view's column can be written only if it passes a base column
 * through, unless triggers or rules handle the whole row.
 */
export const COLUMN_TYPES_SQL: string = `
with relations as (
  select relation.oid, relation.relname, relation.relkind, namespace.nspname,
    relation.relkind <> 'v'
      or exists (select from pg_trigger where tgrelid = relation.oid and tgtype & 64 <> 0)
      or exists (select from pg_rewrite where ev_class = relation.oid and ev_type <> '1' and is_instead) as takes_whole_rows
  from pg_class relation
  join pg_namespace namespace on namespace.oid = relation.relnamespace
  where namespace.nspname = any ($1::text[]) and relation.relkind in ('r', 'p', 'v', 'm', 'f')
)
select nspname::text, relname::text, attname::text, format_type(atttypid, null), attrelid::text, attnum::text,
  (takes_whole_rows or pg_column_is_updatable(attrelid, attnum, false))::text
from relations
join pg_attribute on attrelid = relations.oid and attnum > 0 and not attisdropped
order by attrelid, attnum`;
