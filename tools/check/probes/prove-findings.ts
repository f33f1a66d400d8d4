// Proves findings about access: as the role, in a transaction that is rolled back, reads a row that a policy gives to
// somebody else (`project.md` §6 item 3). Only a proved finding is an error.
import type { ClientBase } from 'pg';
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Finding, LintName } from '../lints/finding.ts';
import { type ClaimPath, findTies, type Tie } from './find-ties.ts';

type Client = Pick<ClientBase, 'query'>;

/** What these find shows foreign rows, if it matters. */
const PROBED: ReadonlySet<LintName> = new Set([
  'rls-off',
  'policy-always-true',
  'view-bypasses-policies',
  'materialized-view-exposed',
  'secret-readable',
]);

/** Per statement: a probe that takes long proves nothing. */
const TIMEOUT = '2s';
const MAX_VALUES = 8;
const MAX_ROWS = 4;
/** Claims of a stranger, if all rows belong to one. The first that fits the type of the column is used. */
const STRANGERS = ['00000000-0000-0000-0000-000000000000', '-1', 'nobody at all'];

/** @param client not in a transaction. Only reads. @returns the findings with what their probes have shown */
export async function proveFindings(client: Client, findings: readonly Finding[]): Promise<readonly Finding[]> {
  const proved: Finding[] = [];
  for (const finding of findings) proved.push(PROBED.has(finding.lint) ? await prove(client, finding) : finding);
  return proved;
}

async function prove(client: Client, finding: Finding): Promise<Finding> {
  const { object, role, message } = finding;
  if (role === null) return finding;
  const ties = await findTies(client, object);
  if (ties.length === 0) return { ...finding, message: `${message} Not proved: no policy ties its rows to a claim.` };
  for (const tie of ties) {
    const shown = await inTransaction(client, () => findForeign(client, tie, role));
    if (shown === undefined) continue;
    const { claim, reader, owner } = shown;
    const proof = `Proved: with the claim ${claim.join('.')} = "${reader}", the role reads a row of "${owner}".`;
    return { ...finding, level: 'error', isProved: true, message: `${message} ${proof}` };
  }
  return { ...finding, message: `${message} Not proved: no row of somebody else could be read.` };
}

interface Foreign {
  readonly claim: ClaimPath;
  readonly reader: string;
  /** The value of the claim to which a policy gives the row. */
  readonly owner: string;
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level repeatable read read only');
  try {
    await client.query(`set local search_path to ''; set local statement_timeout to '${TIMEOUT}'`);
    return await work();
  } finally {
    await client.query('rollback');
  }
}

async function findForeign(client: Client, tie: Tie, role: string): Promise<Foreign | undefined> {
  const { from, columns, condition, claims } = tie;
  const texts = columns.map((column) => `${column}::text`);
  const values = await attempt(client, `SELECT value FROM (${tie.owners}) AS candidate LIMIT ${MAX_VALUES}`);
  const owners = values.map(({ value }) => value).filter((value) => value !== null && value !== undefined);
  await client.query(`set local role ${quoteIdentifier(role)}`);
  const shown = texts.map((text, index) => `${text} AS "${index}"`).join(', ');
  for (const claim of claims) {
    for (const reader of [...owners, ...STRANGERS]) {
      await setClaim(client, claim, { role, value: reader });
      const foreign = `SELECT ${shown} FROM ${from} WHERE (${condition}) IS NOT TRUE LIMIT ${MAX_ROWS}`;
      const rows = await attempt(client, foreign);
      for (const row of rows) {
        const owner = await findOwner(client, { tie, texts, row: Object.values(row) }, { claim, role, owners });
        if (owner !== undefined && owner !== reader) return { claim, reader, owner };
      }
    }
  }
  return undefined;
}

type Values = Readonly<Record<string, string | null>>;

interface TiedRow {
  readonly tie: Tie;
  /** The expressions of its columns. */
  readonly texts: readonly string[];
  readonly row: readonly (string | null)[];
}

interface Owners {
  readonly claim: ClaimPath;
  readonly role: string;
  readonly owners: readonly string[];
}

/** Returns the value of the claim with which the policy is true for the row. */
async function findOwner(
  client: Client,
  { tie, texts, row }: TiedRow,
  { claim, role, owners }: Owners,
): Promise<string | undefined> {
  const same = texts.map((text, index) => `${text} IS NOT DISTINCT FROM $${index + 1}`).join(' AND ');
  for (const owner of owners) {
    await setClaim(client, claim, { role, value: owner });
    const owned = `SELECT 'true' AS value FROM ${tie.from} WHERE ${same} AND (${tie.condition}) LIMIT 1`;
    if ((await attempt(client, owned, row)).length > 0) return owner;
  }
  return undefined;
}

async function setClaim(
  client: Client,
  claim: ClaimPath,
  { role, value }: { readonly role: string; readonly value: string },
): Promise<void> {
  const [key, ...inner] = claim;
  const claims = { role, [key]: inner.reduceRight<unknown>((below, each) => ({ [each]: below }), value) };
  await client.query(`SELECT pg_catalog.set_config('request.jwt.claims', $1, true)`, [JSON.stringify(claims)]);
}

/** Returns no rows if the statement fails, for example because the role may not read a column. */
async function attempt(client: Client, text: string, values: readonly unknown[] = []): Promise<readonly Values[]> {
  await client.query('savepoint probe');
  try {
    const { rows } = await client.query<Values>(text, [...values]);
    return rows;
  } catch (error) {
    // Without a code, the connection is lost.
    if (!(error instanceof Error) || Reflect.get(error, 'code') === undefined) throw error;
    await client.query('rollback to savepoint probe');
    return [];
  } finally {
    await client.query('release savepoint probe').catch(() => undefined);
  }
}
