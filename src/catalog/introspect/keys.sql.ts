// Selects the keys of tables: primary, unique and foreign ones, and unique indexes.

/**
 * Selects primary keys and unique constraints of the whole database: a view may expose a key of a table in any schema.
 * Rows: table oid, is primary, attribute numbers in key order as JSON array.
 */
export const KEYS_SQL: string = `
select conrelid::text, (contype = 'p')::text, array_to_json(conkey)::text
from pg_constraint
where contype in ('p', 'u')
order by oid`;

/**
 * Selects the foreign keys of the whole database, without the copies that PostgreSQL keeps for partitions. Rows: oid,
 * constraint name, table oid, foreign table oid, attribute numbers of both tables as JSON arrays.
 */
export const FOREIGN_KEYS_SQL: string = `
select oid::text, conname::text, conrelid::text, confrelid::text, array_to_json(conkey)::text, array_to_json(confkey)::text
from pg_constraint
where contype = 'f' and conparentid = 0
order by oid`;

/**
 * Selects the unique indexes of the exposed relations that can decide a conflict (`beyond.md` §2.4). `$1` exposed
 * schemas. Rows: table oid, name, predicate, then two JSON arrays with an entry per key: the name of its column, empty
 * for an expression, and its definition; and whether nulls are equal, which PostgreSQL 15 introduced.
 */
export const UNIQUE_INDEXES_SQL: string = `
select index.indrelid::text, class.relname::text, pg_get_expr(index.indpred, index.indrelid), keys.names, keys.definitions,
  coalesce(to_jsonb(index) ->> 'indnullsnotdistinct', 'false')
from pg_index index
join pg_class class on class.oid = index.indexrelid
join pg_class relation on relation.oid = index.indrelid
join pg_namespace namespace on namespace.oid = relation.relnamespace
cross join lateral (
  select json_agg(coalesce(attribute.attname::text, '') order by key.position)::text as names,
    json_agg(pg_get_indexdef(index.indexrelid, key.position::int, true) order by key.position)::text as definitions
  from unnest(index.indkey) with ordinality key (number, position)
  left join pg_attribute attribute on attribute.attrelid = index.indrelid and attribute.attnum = key.number and key.number <> 0
  where key.position <= index.indnkeyatts
) keys
where namespace.nspname = any ($1::text[])
  and not relation.relispartition
  and index.indisunique and index.indisvalid and index.indimmediate and not index.indisexclusion
order by index.indrelid, class.relname`;
