// Verifies that a configured key signed the token, and returns its claims or the first failed step (`operating.md`
// §3.3). `claims.ts` decides whether the claims are valid now.
import type { ApiError } from '../errors/api-error.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { decodeBase64Url } from './base64url.ts';
import { decodeUtf8, isNestedDeeperThan, type JsonObject, parseJsonObject } from '../util/json-object.ts';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './jwk.ts';
import type { VerificationKey } from './keys.ts';

export interface VerifiedToken {
  readonly claims: JsonObject;
  /** The claims as the issuer wrote them; only here are numbers beyond 2^53 exact. */
  readonly text: string;
}

interface DecodedToken {
  readonly header: TokenHeader;
  /** The text that the signature covers. */
  readonly signingInput: string;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** What a token says about the key that signed it. */
export interface SigningKey {
  readonly algorithm: SignatureAlgorithm | 'none';
  readonly kid: string | undefined;
}

interface TokenHeader extends SigningKey {
  readonly isCritical: boolean;
}

// Role paths and JSON rendering recurse into claims. Far beyond any real token, yet safe for the call stack.
const MAXIMUM_CLAIMS_DEPTH = 1000;

/** `keys` is undefined if no secret is configured. Errors: `secretMissing`, `tokenInvalid`, `claimsInvalid`. */
export function verifyJwt(
  token: string,
  keys: readonly VerificationKey[] | undefined,
): Result<VerifiedToken, ApiError> {
  if (keys === undefined) return fail({ kind: 'secretMissing' });
  if (token === '') return fail(tokenInvalid('Empty JWT is sent in Authorization header'));
  const decoded = decodeToken(token);
  if (!decoded.ok) return decoded;
  const { payload } = decoded.value;
  const invalid = checkSignature(decoded.value, keys);
  return invalid === undefined ? parseClaims(payload) : fail(invalid);
}

/** Returns what the header of a token says; undefined if no key can verify the token. */
export function findSigningKey(token: string): SigningKey | undefined {
  return parseHeader(decodeBase64Url(token.slice(0, Math.max(token.indexOf('.'), 0))));
}

export function selectKeys(
  { algorithm, kid }: SigningKey,
  keys: readonly VerificationKey[],
): readonly VerificationKey[] {
  if (algorithm === 'none') return [];
  return keys.filter((key) => key.algorithms.includes(algorithm) && (kid === undefined || key.kid === kid));
}

function decodeToken(token: string): Result<DecodedToken, ApiError> {
  const parts = token.split('.');
  const [headerText, payloadText, signatureText] = parts;
  if (parts.length !== 3 || headerText === undefined || payloadText === undefined || signatureText === undefined) {
    return fail(tokenInvalid(`Expected 3 parts in JWT; got ${parts.length}`));
  }
  const header = parseHeader(decodeBase64Url(headerText));
  const payload = decodeBase64Url(payloadText);
  const signature = decodeBase64Url(signatureText);
  if (header === undefined || payload === undefined || signature === undefined) {
    return fail(tokenInvalid('JWT cryptographic operation failed'));
  }
  return ok({ header, signingInput: `${headerText}.${payloadText}`, payload, signature });
}

function parseHeader(bytes: Uint8Array | undefined): TokenHeader | undefined {
  const text = bytes && decodeUtf8(bytes);
  const header = text === undefined ? undefined : parseJsonObject(text);
  if (header === undefined) return undefined;
  const { alg, kid } = header;
  if (!isKnownAlgorithm(alg) || (kid !== undefined && typeof kid !== 'string')) return undefined;
  return { algorithm: alg, kid, isCritical: header['crit'] !== undefined };
}

function isKnownAlgorithm(name: unknown): name is SignatureAlgorithm | 'none' {
  return name === 'none' || (typeof name === 'string' && SIGNATURE_ALGORITHMS.has(name));
}

const NO_KEY = 'No suitable key or wrong key type';

function checkSignature(token: DecodedToken, keys: readonly VerificationKey[]): ApiError | undefined {
  const { algorithm, isCritical } = token.header;
  if (algorithm === 'none') {
    const details = "JWT is unsecured but expected 'alg' was not 'none'";
    return tokenInvalid('Wrong or unsupported encoding algorithm', details);
  }
  // RFC 7515 §4.1.11: `crit` lists extensions that must be understood; none is supported.
  if (isCritical) return tokenInvalid("JWT couldn't be decoded");
  const candidates = selectKeys(token.header, keys);
  if (candidates.length === 0) {
    const details = 'No suitable key was found to decode the JWT';
    return { kind: 'tokenInvalid', message: NO_KEY, details, isKeyMissing: true };
  }
  if (candidates.some((key) => key.verify(algorithm, token.signingInput, token.signature))) return undefined;
  const details = 'None of the keys was able to decode the JWT';
  return { kind: 'tokenInvalid', message: NO_KEY, details, isSignatureWrong: true };
}

function parseClaims(payload: Uint8Array): Result<VerifiedToken, ApiError> {
  const text = decodeUtf8(payload);
  const claims = text === undefined ? undefined : parseJsonObject(text);
  if (text === undefined || claims === undefined || isNestedDeeperThan(MAXIMUM_CLAIMS_DEPTH, text)) {
    return fail({ kind: 'claimsInvalid', message: 'Parsing claims failed' });
  }
  return ok({ claims, text });
}

function tokenInvalid(message: string, details?: string): ApiError {
  return { kind: 'tokenInvalid', message, details };
}
