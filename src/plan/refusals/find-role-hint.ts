// Tells why the server cannot take the role of a request: the login role may not assume it. The error of a role that does
// not exist has no hint (`writing.md` §19).
import { MAX_IDENTIFIER_BYTES, spellIdentifier } from '../../contract/identifiers.ts';
import type { DatabaseReport } from '../../errors/api-error.ts';

/** The name of the login role stays in the configuration: clients need not know it. */
const LOGIN = 'LOGIN_ROLE, the role in db-uri';

/** @returns undefined for errors that a function raises about another role */
export function findRoleHint(
  { sqlstate, message, hint }: DatabaseReport,
  identity: { readonly role: string; readonly isAnonymous: boolean } | undefined,
): string | undefined {
  if (identity === undefined || hint !== undefined || identity.role.length > MAX_IDENTIFIER_BYTES) return undefined;
  const { role, isAnonymous } = identity;
  const name = spellIdentifier(role);
  const origin = isAnonymous ? 'The option db-anon-role' : 'The token';
  if (sqlstate !== '42501' || message !== `permission denied to set role "${role}"`) return undefined;
  return `${origin} names a role that the server may not assume. Allow it: GRANT ${name} TO ${LOGIN}`;
}
