// The table that records which migrations a database has: `rowhouse.migrations`.
import type { SqlClient } from '../embedded/script/sql-session.ts';
import type { Migration } from './read-migrations.ts';

export interface LedgerEntry {
  readonly name: string;
  readonly hash: string;
  /** Undefined: a file without a transaction was begun, and may have done its work. */
  readonly appliedAt: Date | undefined;
  readonly duration: number;
}

const CREATE_LEDGER = `
create schema if not exists rowhouse;
create table if not exists rowhouse.migrations (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz,
  duration_ms bigint not null default 0
);
comment on table rowhouse.migrations is 'Migrations that this database has; written by rowhouse migrate'`;

/** Creates nothing that exists, so that a role without the privilege to create may use the table of another. */
export async function createLedger(client: SqlClient): Promise<void> {
  if (!(await hasLedger(client))) await client.query(CREATE_LEDGER);
}

async function hasLedger(client: SqlClient): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('rowhouse.migrations') is not null as found`,
  );
  return rows[0]?.found ?? false;
}

interface LedgerRow {
  readonly name: string;
  readonly sha256: string;
  readonly applied_at: Date | null;
  readonly duration_ms: string;
}

/** @returns entries by name; none if the database has no ledger */
export async function readLedger(client: SqlClient): Promise<ReadonlyMap<string, LedgerEntry>> {
  if (!(await hasLedger(client))) return new Map();
  const { rows } = await client.query<LedgerRow>(
    'select name, sha256, applied_at, duration_ms from rowhouse.migrations order by applied_at, name',
  );
  return new Map(
    rows.map(({ name, sha256: hash, applied_at: appliedAt, duration_ms: duration }) => [
      name,
      { name, hash, appliedAt: appliedAt ?? undefined, duration: Number(duration) },
    ]),
  );
}

/** Records that a file without a transaction begins. */
export async function recordBegun(client: SqlClient, { name, hash }: Migration): Promise<void> {
  await client.query(
    `insert into rowhouse.migrations (name, sha256) values ($1, $2)
     on conflict (name) do update set sha256 = excluded.sha256 where migrations.applied_at is null`,
    [name, hash],
  );
}

/** @param duration in milliseconds */
export async function recordApplied(client: SqlClient, { name, hash }: Migration, duration: number): Promise<void> {
  await client.query(
    `insert into rowhouse.migrations (name, sha256, applied_at, duration_ms) values ($1, $2, clock_timestamp(), $3)
     on conflict (name) do update set sha256 = excluded.sha256, applied_at = excluded.applied_at, duration_ms = excluded.duration_ms`,
    [name, hash, Math.round(duration)],
  );
}
