// Finds rows that a policy gives to somebody else: with a made-up claim, and the value of that claim to which they belong.
import type { ClaimPath } from '../../access/policies/policy-parts.ts';
import type { Tie } from './find-ties.ts';
import { attemptRows, type Client, setClaims } from './statements.ts';

export interface ForeignRow {
  readonly claim: ClaimPath;
  /** The value of the claim whose bearer should not see the row. */
  readonly reader: string;
  /** The value of the claim to which a policy gives the row. */
  readonly owner: string;
  /** A condition that the row fulfils, and others with the same owner. */
  readonly same: string;
  /** Parameters of `same`. */
  readonly values: readonly (string | null)[];
}

const MAX_VALUES = 8;
const MAX_ROWS = 4;
/** Claims of a stranger, if all rows belong to one. The first that fits the type of the column is used. */
export const STRANGERS: readonly string[] = ['00000000-0000-0000-0000-000000000000', '-1', 'nobody at all'];

/** Returns values that the claims of a tie may have. */
export async function listOwners(client: Client, { owners }: Tie): Promise<readonly string[]> {
  const rows = await attemptRows(client, `SELECT value FROM (${owners}) AS candidate LIMIT ${MAX_VALUES}`);
  return rows.flatMap(({ value }) => (value === null || value === undefined ? [] : [value]));
}

/**
 * Yields the rows that the present role can read. The claims of the session change.
 *
 * @param owners from `listOwners`
 * @param readers values of the claim that are tried
 */
export async function* findForeign(
  client: Client,
  tie: Tie,
  role: string,
  owners: readonly string[],
  readers: readonly string[],
): AsyncGenerator<ForeignRow, void> {
  const texts = tie.columns.map((column) => `${column}::text`);
  const shown = texts.map((text, index) => `${text} AS "${index}"`).join(', ');
  const same = texts.map((text, index) => `${text} IS NOT DISTINCT FROM $${index + 1}`).join(' AND ');
  const owned = `SELECT 'true' AS value FROM ${tie.from} WHERE ${same} AND (${tie.condition}) LIMIT 1`;
  for (const claim of tie.claims) {
    for (const reader of readers) {
      await setClaims(client, role, claim, reader);
      const rows = await attemptRows(
        client,
        `SELECT ${shown} FROM ${tie.from} WHERE ${tie.isForeign} LIMIT ${MAX_ROWS}`,
      );
      for (const row of rows) {
        const values = Object.values(row);
        for (const owner of owners.filter((each) => each !== reader)) {
          await setClaims(client, role, claim, owner);
          if ((await attemptRows(client, owned, values)).length === 0) continue;
          yield { claim, reader, owner, same, values };
          break;
        }
      }
    }
  }
}
