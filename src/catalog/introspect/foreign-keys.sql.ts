// Foreign keys of the whole database, without the copies that PostgreSQL keeps for partitions.

/** Rows: oid, constraint name, table oid, foreign table oid, attribute numbers as JSON arrays of the one and the other. */
export const FOREIGN_KEYS_SQL: string = `
select oid::text, conname::text, conrelid::text, confrelid::text, array_to_json(conkey)::text, array_to_json(confkey)::text
from pg_constraint
where contype = 'f' and conparentid = 0
order by oid`;
