// Selects the foreign keys of the whole database, without the copies that PostgreSQL keeps for partitions.

/** Rows: oid, constraint name, table oid, foreign table oid, attribute numbers of both tables as JSON arrays. */
export const FOREIGN_KEYS_SQL: string = `
select oid::text, conname::text, conrelid::text, confrelid::text, array_to_json(conkey)::text, array_to_json(confkey)::text
from pg_constraint
where contype = 'f' and conparentid = 0
order by oid`;
