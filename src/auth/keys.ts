// Reads the keys in the bytes of `jwt-secret` (`operating.md` §3.2). Anything that looks like a key in another form,
// whether readable or not, is never used as a passphrase, because it may be public. Preparing keys for verification is
// I/O-edge work: `service/tokens/jwt-keys.ts`.
import { fail, ok, type Result } from '../contract/result.ts';
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
  if (format === 'JSON') {
    const json = parseJsonObject(text ?? '');
    if (json === undefined) return fail(BROKEN_JSON);
    const set = json['keys'];
    if (Array.isArray(set)) return parseSet(set);
    if (json['kty'] === undefined)
      return fail(
        'The JWT secret is JSON, but neither a JSON Web Key, which has "kty", nor a JSON Web Key Set, which has "keys".',
      );
    return parseSingle(json);
  }
  if (format !== undefined)
    return fail(`The JWT secret is a key in ${format} format, which is not supported. Convert it to a JSON Web Key.`);
  if (secret.length < MINIMUM_SECRET_BYTES)
    return fail(
      `The JWT secret must be at least ${MINIMUM_SECRET_BYTES} characters long.` +
        (/^[\w./\\-]+\.(?:json|jwks?|pem|key|txt)$/u.test(text ?? '')
          ? ' To read it from a file, put an @ before the file name.'
          : ''),
    );
  return ok([{ kind: 'secret', bytes: secret, kid: undefined, algorithms: ['HS256'] }]);
}

const BROKEN_JSON =
  'The JWT secret looks like JSON, but is not a valid JSON object. A shell or the file may have removed its quotes.';

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

const PEM = /-----BEGIN [A-Z0-9 ]+-----/u;
const OPEN_SSH = /^\s*(?:ssh-|ecdsa-sha2-|sk-)[a-z0-9@.-]+ +AAAA/u;
/**
 * An opening bracket and what may follow it in JSON. Also matches after quotes left by a shell or a file, and before a
 * key member whose own quotes are missing.
 */
const JSON_TEXT = /^[\s"'\\]*[[{][\s\\]*(?:["'[\]{}]|(?:kty|keys|kid|use|alg|crv|key_ops|[knexy])\s*:)/u;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/u;

const SEQUENCE = 0x30;
const INTEGER = 0x02;
/** DER encodes a length above 127 in further bytes. */
const LONG_LENGTHS: ReadonlySet<number | undefined> = new Set([0x81, 0x82]);

/**
 * Recognizes the key format of the bytes of `jwt-secret` by their appearance alone: if a public key were accepted as a
 * passphrase, anyone could sign tokens.
 *
 * @param text the bytes decoded as UTF-8, if they are valid
 */
function detectKeyFormat(
  bytes: Uint8Array,
  text: string | undefined,
): ('JSON' | 'PEM' | 'OpenSSH' | 'DER') | undefined {
  if (isDer(bytes)) return 'DER';
  if (text === undefined) return undefined;
  if (JSON_TEXT.test(text)) return 'JSON';
  if (PEM.test(text)) return 'PEM';
  if (OPEN_SSH.test(text)) return 'OpenSSH';
  return isDer(decodeBase64(text)) ? 'DER' : undefined;
}

/** Decodes base64, even across lines; returns no bytes for any other text. */
function decodeBase64(text: string): Uint8Array {
  const joined = text.replaceAll(/\s/gu, '');
  if (!BASE64.test(joined)) return new Uint8Array();
  try {
    return Uint8Array.from(atob(joined.replaceAll('-', '+').replaceAll('_', '/')), (digit) => digit.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/**
 * Whether the bytes are exactly one ASN.1 sequence that starts like a public key or certificate: with a sequence, or
 * with the modulus of an RSA key. One random secret in sixteen million does.
 */
function isDer(bytes: Uint8Array): boolean {
  const [tag, first = 0] = bytes;
  const lengthBytes = first > 0x80 ? first - 0x80 : 0;
  if (tag !== SEQUENCE || lengthBytes > 3) return false;
  const start = 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  if (start + length !== bytes.length) return false;
  return bytes[start] === SEQUENCE || (bytes[start] === INTEGER && LONG_LENGTHS.has(bytes[start + 1]));
}
