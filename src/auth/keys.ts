// Reads the keys in the bytes of `jwt-secret` (`operating.md` §3.2). Anything that looks like a key in another form,
// whether readable or not, is never used as a passphrase, because it may be public. Preparing keys for verification is
// I/O-edge work: `service/tokens/jwt-keys.ts`.
import { fail, ok, type Result } from '../contract/result.ts';
import { detectKeyFormat } from './key-formats.ts';
import {
  type KeyDescription,
  type KeyRestrictions,
  MINIMUM_SECRET_BYTES,
  readJwk,
  type SignatureAlgorithm,
} from './jwk.ts';
import { decodeUtf8, isJsonObject, type JsonObject, parseJsonObject } from '../util/json-object.ts';

/** A key prepared for verification. */
export interface VerificationKey extends KeyRestrictions {
  /** `data` is the token's ASCII signing input. Returns `false` for any signature that does not match; never throws. */
  readonly verify: (algorithm: SignatureAlgorithm, data: string, signature: Uint8Array) => boolean;
}

/**
 * Reads a secret as a JWK Set, a single JWK or a passphrase. Omits keys of a set that cannot verify signatures, so the
 * result may be empty. The error is the text of a configuration error (`operating.md` §1.6).
 */
export function parseKeys(secret: Uint8Array): Result<readonly KeyDescription[], string> {
  const text = decodeUtf8(secret);
  const format = detectKeyFormat(secret, text);
  if (format === 'JSON') return parseJsonKeys(text ?? '');
  if (format !== undefined)
    return fail(`The JWT secret is a key in ${format} format, which is not supported. Convert it to a JSON Web Key.`);
  if (secret.length < MINIMUM_SECRET_BYTES)
    return fail(
      `The JWT secret must be at least ${MINIMUM_SECRET_BYTES} characters long.${suggestFilePrefix(text ?? '')}`,
    );
  return ok([{ kind: 'secret', bytes: secret, kid: undefined, algorithms: ['HS256'] }]);
}

function suggestFilePrefix(text: string): string {
  return /^[\w./\\-]+\.(?:json|jwks?|pem|key|txt)$/u.test(text)
    ? ' To read it from a file, put an @ before the file name.'
    : '';
}

const BROKEN_JSON =
  'The JWT secret looks like JSON, but is not a valid JSON object. A shell or the file may have removed its quotes.';

function parseJsonKeys(text: string): Result<readonly KeyDescription[], string> {
  const json = parseJsonObject(text);
  if (json === undefined) return fail(BROKEN_JSON);
  const set = json['keys'];
  if (Array.isArray(set)) return parseSet(set);
  if (json['kty'] === undefined)
    return fail(
      'The JWT secret is JSON, but neither a JSON Web Key, which has "kty", nor a JSON Web Key Set, which has "keys".',
    );
  return parseSingle(json);
}

function parseSingle(jwk: JsonObject): Result<readonly KeyDescription[], string> {
  const key = readJwk(jwk);
  if (!key.ok) return fail(`The JSON Web Key in the JWT secret ${key.error}.`);
  if (key.value !== 'unsupported') return ok([key.value]);
  return fail(
    'The JSON Web Key in the JWT secret cannot verify any supported signature. Check its kty, crv, alg and use.',
  );
}

function parseSet(set: readonly unknown[]): Result<readonly KeyDescription[], string> {
  const keys: KeyDescription[] = [];
  for (const [index, jwk] of set.entries()) {
    const key = isJsonObject(jwk) ? readJwk(jwk) : fail('is not a JSON object');
    if (!key.ok) return fail(`Key ${index + 1} of the JSON Web Key Set in the JWT secret ${key.error}.`);
    if (key.value !== 'unsupported') keys.push(key.value);
  }
  return ok(keys);
}
