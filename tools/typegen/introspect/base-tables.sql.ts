// Reads the column constraints of the tables in every schema, because views are often built on tables that are not
// exposed.
import { DOMAINS_CTE } from '../../../src/catalog/introspect/domains.sql.ts';

/**
 * Rows: table oid, numbers of columns that are never null, numbers of columns that are always generated, both as JSON
 * arrays. A NOT NULL constraint that is not validated may leave nulls in older rows.
 */
export const BASE_TABLES_SQL: string = `
with recursive ${DOMAINS_CTE}
select attrelid::text,
  coalesce(json_agg(attnum) filter (
    where coalesce(domains.is_not_null, false) or attnotnull and not exists (
      select from pg_constraint
      where conrelid = attrelid and contype = 'n' and conkey = array[attnum] and not convalidated
    )
  ), '[]')::text,
  coalesce(json_agg(attnum) filter (where attgenerated <> '' or attidentity = 'a'), '[]')::text
from pg_class relation
join pg_namespace namespace on namespace.oid = relation.relnamespace
join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
left join domains on domains.oid = atttypid
where relation.relkind in ('r', 'p', 'f') and namespace.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
group by attrelid`;
