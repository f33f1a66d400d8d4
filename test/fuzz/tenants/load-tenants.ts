// Loads the rows of tenants into a database, and compares the tables with the model afterwards.
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import type { Row } from '../oracle/read-model.ts';
import { runRoleSql } from '../../support/database.ts';
import { MODELLED, renderTenantSchema } from './tenant-schema.ts';
import { findForeign, type Tenant } from './tenant.ts';

/** @param uri superuser connection to a fresh database */
export async function loadTenants(uri: string, tenants: readonly Tenant[]): Promise<void> {
  await runRoleSql(uri, renderTenantSchema());
  await withConnection(uri, async (client) => {
    const insert = (table: string, { name }: Tenant, rows: readonly Row[]): Promise<unknown> =>
      client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(rows.map((row) => ({ ...row, tenant: name }))),
      ]);
    for (const tenant of tenants) {
      for (const table of MODELLED) await insert(`api.${table}`, tenant, tenant.rows(table));
      await insert('labs.crates', tenant, tenant.labs.crates);
      await insert('labs.vault', tenant, tenant.labs.vault);
    }
    await client.query('analyze');
  });
}

/** Returns the differences between the tables and the model, by table. */
export async function compareTables(uri: string, tenants: readonly Tenant[]): Promise<readonly string[]> {
  return withConnection(uri, async (client) => {
    const problems: string[] = [];
    for (const table of MODELLED) {
      const { rows } = await client.query<Row>(`select * from api.${table}`);
      const stored = new Set(rows.map(describeRow));
      const expected = new Set(
        tenants.flatMap((tenant) => tenant.rows(table).map((row) => describeRow({ ...row, tenant: tenant.name }))),
      );
      const excess = [...stored].filter((row) => !expected.has(row));
      const missing = [...expected].filter((row) => !stored.has(row));
      if (excess.length + missing.length > 0)
        problems.push(`${table} at the end: ${excess.join(' ')} instead of ${missing.join(' ')}`);
    }
    const lost = await client.query<{ readonly tenant: string; readonly note: string }>('select * from api.lost_notes');
    const owners = new Map(tenants.map((tenant) => [tenant.name, tenant]));
    for (const { tenant, note } of lost.rows) {
      const owner = owners.get(tenant);
      if (owner === undefined || findForeign(note, owner) !== undefined) problems.push(`${tenant} has ${note}`);
    }
    return problems;
  });
}

function describeRow(row: Row): string {
  return JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
}
