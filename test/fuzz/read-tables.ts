// Reads the contents of the tables that random writes change, to compare them.
import type { Service } from '../conformance/serve.ts';

/** Returns the contents of each table as one text. */
export async function readTables(service: Pick<Service, 'query'>): Promise<readonly unknown[]> {
  const tables = await service.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('api', 'labs') order by 1`,
  );
  const texts = tables.map(
    ({ name }) =>
      `select '${String(name)}' as name, string_agg(t::text, ' ' order by t::text) as rows from ${String(name)} t`,
  );
  return service.query(`${texts.join(' union all ')} order by 1`);
}
