// Runs all lints on one state of a database.
import type { ClientBase } from 'pg';
import type { Finding } from './lints/finding.ts';
import { readLint, renderLint, type Row } from './lints/lint.ts';
import { LINTS } from './lints/all.ts';

export interface LintedApi {
  /** Exposed schemas. */
  readonly schemas: readonly string[];
  /** Web roles. */
  readonly roles: readonly string[];
}

/** @param client not in a transaction; rejects with the driver's error if a query fails */
export async function runLints(
  client: Pick<ClientBase, 'query'>,
  { schemas, roles }: LintedApi,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await client.query('begin isolation level repeatable read read only');
  try {
    // Names in expressions are then printed with their schemas.
    await client.query(`set local search_path to ''`);
    for (const lint of LINTS) {
      const { rows } = await client.query<Row>(renderLint(lint), [schemas, roles]);
      findings.push(...readLint(lint, rows));
    }
  } finally {
    await client.query('rollback');
  }
  return findings;
}
