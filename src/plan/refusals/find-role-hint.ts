// Tells why the server cannot take the role of a request: the role does not exist, or the login role may not assume it.
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
  if (sqlstate === '42501' && message === `permission denied to set role "${role}"`)
    return `${origin} names a role that the server may not assume. Allow it: GRANT ${name} TO ${LOGIN}`;
  if (sqlstate === '22023' && message === `role "${role}" does not exist`)
    return `${origin} names this role. Check its spelling, or create it: CREATE ROLE ${name} NOLOGIN; GRANT ${name} TO ${LOGIN}`;
  return undefined;
}
