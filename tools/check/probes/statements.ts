// The statements of probes: each may fail, and nothing of them stays.
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { ClaimPath } from '../../access/policies/policy-parts.ts';

/** What lints and probes need of a connection. It runs one statement at a time. */
export interface Client {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Reply<Row>>;
}

interface Reply<Row> {
  readonly rows: readonly Row[];
  readonly rowCount: number | null;
}

export type Values = Readonly<Record<string, string | null>>;

/** A statement took too long, or waited for a lock. The others would too. */
export class ProbeTimeout extends Error {}

const STATEMENT_TIMEOUT = '2s';
const LOCK_TIMEOUT = '500ms';

/** Runs work in a transaction that is rolled back. */
export async function inTransaction<T>(
  client: Client,
  access: 'read only' | 'read write',
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`begin isolation level repeatable read ${access}`);
  try {
    await client.query(`set local search_path to ''`);
    await client.query(`set local statement_timeout to '${STATEMENT_TIMEOUT}'`);
    await client.query(`set local lock_timeout to '${LOCK_TIMEOUT}'`);
    return await work();
  } finally {
    await client.query('rollback');
  }
}

/** The settings of a request, but not its role. */
export async function setClaims(client: Client, role: string, claim: ClaimPath, value: string): Promise<void> {
  const [key, ...inner] = claim;
  const claims = { role, [key]: inner.reduceRight<unknown>((below, each) => ({ [each]: below }), value) };
  await client.query(`SELECT pg_catalog.set_config('request.jwt.claims', $1, true)`, [JSON.stringify(claims)]);
}

export async function setRole(client: Client, role: string): Promise<void> {
  await client.query(`set local role ${quoteIdentifier(role)}`);
}

/** Undoes the work. */
export async function undone<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('savepoint undone');
  try {
    return await work();
  } finally {
    await client.query('rollback to savepoint undone');
    await client.query('release savepoint undone');
  }
}

/** SQLSTATEs of `lock_timeout` and `statement_timeout`. */
const TIMEOUTS: ReadonlySet<unknown> = new Set(['55P03', '57014']);

/**
 * Undoes the statement only if it fails, for example because the role lacks a privilege.
 *
 * @returns undefined then. Throws a `ProbeTimeout`
 */
export async function attempt(
  client: Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<Reply<Values> | undefined> {
  await client.query('savepoint attempt');
  try {
    const result = await client.query<Values>(text, [...values]);
    await client.query('release savepoint attempt');
    return result;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    // Without a code, the connection is lost.
    if (code === undefined) throw error;
    await client.query('rollback to savepoint attempt');
    await client.query('release savepoint attempt');
    if (TIMEOUTS.has(code)) throw new ProbeTimeout();
    return undefined;
  }
}

export async function attemptRows(
  client: Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Values[]> {
  return (await attempt(client, text, values))?.rows ?? [];
}
