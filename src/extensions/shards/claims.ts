// The claim that names the tenant (`db-shard-claim`).

/** Stands for the value of the claim in plans, which all tenants share. No text of PostgreSQL contains it. */
export const CLAIM_VALUE = '\0claim';

/** @returns the claim as the text of a value; undefined unless it is a string or a number */
export function readClaim(claims: string, name: string): string | undefined {
  const parsed: unknown = JSON.parse(claims);
  const value: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
