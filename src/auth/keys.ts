// Bytes of `jwt-secret` → the keys in it (`operating.md` §3.2). A passphrase is what remains, and must be secret: what is
// a key in any other form, readable or not, never becomes one, because everybody may know it.
// Making keys usable for verification is I/O-edge work: `runtime/jwt-keys.ts`.
import { fail, ok, type Result } from '../contract/result.ts';
import { nameKeyFormat } from './key-formats.ts';
import {
  type KeyDescription,
  type KeyRestrictions,
  MINIMUM_SECRET_BYTES,
  readJwk,
  type SignatureAlgorithm,
} from './jwk.ts';
import { decodeUtf8, isJsonObject, type JsonObject, parseJsonObject } from '../util/json-object.ts';

/** A key ready for use. */
export interface VerificationKey extends KeyRestrictions {
  /** `data` is the token's ASCII signing input; `false` for any signature that does not fit. Never throws. */
  readonly verify: (algorithm: SignatureAlgorithm, data: string, signature: Uint8Array) => boolean;
}

/**
 * Reads a secret as JWK Set, as one JWK, or as passphrase. Keys of a set that are for something else are left out, so
 * that the result may be empty. The error is the text of a configuration error (`operating.md` §1.6).
 */
export function parseKeys(secret: Uint8Array): Result<readonly KeyDescription[], string> {
  const text = decodeUtf8(secret);
  const format = nameKeyFormat(secret, text);
  if (format === 'JSON') return parseJsonKeys(text ?? '');
  if (format !== undefined)
    return fail(`The JWT secret is a key in ${format} format, which is not read: give it as a JSON Web Key.`);
  if (secret.length < MINIMUM_SECRET_BYTES)
    return fail(`The JWT secret must be at least ${MINIMUM_SECRET_BYTES} characters long.${adviseOnFile(text ?? '')}`);
  return ok([{ kind: 'secret', bytes: secret, kid: undefined, algorithms: ['HS256'] }]);
}

function adviseOnFile(text: string): string {
  return /^[\w./\\-]+\.(?:json|jwks?|pem|key|txt)$/u.test(text) ? ' The name of a file stands behind an @.' : '';
}

const BROKEN_JSON =
  'The JWT secret looks like JSON, but is no valid JSON object: a shell or the file may have taken its quotes.';

function parseJsonKeys(text: string): Result<readonly KeyDescription[], string> {
  const json = parseJsonObject(text);
  if (json === undefined) return fail(BROKEN_JSON);
  const set = json['keys'];
  if (Array.isArray(set)) return parseSet(set);
  if (json['kty'] === undefined)
    return fail(
      'The JWT secret is JSON, but no JSON Web Key, which has kty, and no set of them, which has a list of keys.',
    );
  return parseSingle(json);
}

function parseSingle(jwk: JsonObject): Result<readonly KeyDescription[], string> {
  const key = readJwk(jwk);
  if (!key.ok) return fail(`The JSON Web Key in the JWT secret ${key.error}.`);
  if (key.value !== 'foreign') return ok([key.value]);
  return fail('The JSON Web Key in the JWT secret is for no known signature: see its kty, crv, alg and use.');
}

function parseSet(set: readonly unknown[]): Result<readonly KeyDescription[], string> {
  const keys: KeyDescription[] = [];
  for (const [index, jwk] of set.entries()) {
    const key = isJsonObject(jwk) ? readJwk(jwk) : fail('is no JSON object');
    if (!key.ok) return fail(`Key ${index + 1} of the JSON Web Key Set in the JWT secret ${key.error}.`);
    if (key.value !== 'foreign') keys.push(key.value);
  }
  return ok(keys);
}
