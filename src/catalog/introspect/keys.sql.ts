// Selects primary keys and unique constraints of the whole database: a view may expose a key of a table in any schema.

/** Rows: table oid, is primary, attribute numbers in key order as JSON array. */
export const KEYS_SQL: string = `
select conrelid::text, (contype = 'p')::text, array_to_json(conkey)::text
from pg_constraint
where contype in ('p', 'u')
order by oid`;
