// Runs lints on one state of a database.
import { LINTS } from './lints/all.ts';
import { CATALOG } from './lints/catalog.ts';
import type { Finding } from './lints/finding.ts';
import { type Lint, readLint, type Row } from './lints/lint.ts';
import type { Client } from './probes/statements.ts';

export interface Subject {
  /** Exposed schemas. */
  readonly schemas: readonly string[];
  /** Web roles; with a login role, also that one. */
  readonly roles: readonly string[];
  readonly anonymous?: string | undefined;
  /** On which a server listens for schema changes. */
  readonly channel?: string | undefined;
  /** Of live rows. */
  readonly publication?: string | undefined;
  /** Whether the login role has to replicate the publication. */
  readonly replicates?: boolean;
}

/** @param client not in a transaction; rejects with its error if a query fails */
export async function runLints(
  client: Client,
  subject: Subject,
  lints: readonly Lint[] = LINTS,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await client.query('begin isolation level repeatable read read only');
  try {
    // Names in expressions are then printed with their schemas.
    await client.query(`set local search_path to ''`);
    for (const lint of lints) {
      const { rows } = await client.query<Row>(`${CATALOG}${lint.query}`, [JSON.stringify(subject)]);
      findings.push(...readLint(lint, rows));
    }
  } finally {
    await client.query('rollback');
  }
  return findings;
}
