// Notices that another session has changed the schema of a database, without reading the schema.
import type { Client } from 'pg';

const FIND_CATALOGS = `select relname from pg_catalog.pg_class
where relnamespace = 'pg_catalog'::pg_catalog.regnamespace and relkind = 'r' and not relisshared
  and relname not in ('pg_statistic', 'pg_statistic_ext_data', 'pg_largeobject', 'pg_largeobject_metadata', 'pg_depend')
order by relname`;

/**
 * Returns a text that differs after each change of the schema: `xmin` of a row of a catalog is the transaction that wrote
 * it. A temporary table of another session changes it too.
 */
export async function readSchemaMark(client: Client): Promise<string> {
  const { rows } = await client.query<{ relname: string }>(FIND_CATALOGS);
  const marks = rows.map(
    ({ relname }) => `select count(*) as rows, sum(xmin::text::bigint) as writers from pg_catalog.${relname}`,
  );
  const all = marks.join(' union all ');
  const mark = await client.query<{ mark: string }>(
    `select string_agg(concat(rows, ':', writers), ' ') as mark from (${all}) as marks`,
  );
  return mark.rows[0]?.mark ?? '';
}
