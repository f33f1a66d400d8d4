// Creates the key with which the explorer of `rowhouse dev` signs tokens to show the API as another role.
import { randomBytes } from 'node:crypto';
import type { KeyDescription } from '../../src/auth/jwk.ts';
import { parseKeys } from '../../src/auth/keys.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';

export interface ViewAsKey {
  /** The key, as it is printed. It gives only the roles that the login role may assume anyway. */
  readonly text: string;
  /** Options with which the server accepts it besides the configured keys. */
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Returns a new key for each start, so that a configured secret is never printed. Undefined if an issuer is configured:
 * its tokens have an `iss` claim, which the explorer does not sign.
 */
export function createViewAsKey({ jwtSecret, jwtIssuer, jwtJwksUri }: AppConfig): ViewAsKey | undefined {
  if ((jwtIssuer ?? jwtJwksUri) !== undefined) return undefined;
  const text = randomBytes(33).toString('base64url');
  const configured = jwtSecret === undefined ? undefined : parseKeys(jwtSecret);
  if (configured === undefined) return { text, options: { 'jwt-secret': text } };
  const own = configured.ok ? configured.value.map(renderJwk) : [];
  const set = { keys: [...own, { kty: 'oct', alg: 'HS256', k: Buffer.from(text).toString('base64url') }] };
  return { text, options: { 'jwt-secret': JSON.stringify(set), 'jwt-secret-is-base64': 'false' } };
}

/** Returns a JSON Web Key that is read as the same key. */
function renderJwk(key: KeyDescription): object {
  const { kid, algorithms } = key;
  const [alg, ...others] = algorithms;
  const material = key.kind === 'public' ? key.jwk : { kty: 'oct', k: Buffer.from(key.bytes).toString('base64url') };
  return { ...material, kid, ...(others.length === 0 ? { alg } : {}) };
}
