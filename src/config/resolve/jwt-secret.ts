// Resolves the configured secret to the bytes that verify tokens (`operating.md` §1.4): reads the file, decodes base64,
// checks the key.
import { fail, ok, type Result } from '../../contract/result.ts';

const AT_SIGN = 0x40;
const LINE_FEED = 0x0a;
const PADDED_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export interface SecretSteps {
  /** Returns the bytes of a file, or the system's error text with the path. */
  readonly readFile: (path: string) => Result<Uint8Array, string>;
  /** Fails if the bytes are not a usable key. */
  readonly checkSecret: (secret: Uint8Array) => Result<unknown, string>;
  readonly isBase64: boolean;
}

export function resolveSecret(configured: Uint8Array, steps: SecretSteps): Result<Uint8Array, string> {
  const raw = configured[0] === AT_SIGN ? readSecretFile(configured, steps) : ok(configured);
  const secret = raw.ok && steps.isBase64 ? decodeSecret(raw.value) : raw;
  if (!secret.ok) return secret;
  const checked = steps.checkSecret(secret.value);
  return checked.ok ? secret : checked;
}

/** Strips exactly one trailing newline, since editors add one; any others belong to the secret. */
function readSecretFile(configured: Uint8Array, steps: SecretSteps): Result<Uint8Array, string> {
  const bytes = steps.readFile(new TextDecoder().decode(configured.subarray(1)));
  return bytes.ok && bytes.value.at(-1) === LINE_FEED ? ok(bytes.value.subarray(0, -1)) : bytes;
}

/** Decodes standard or URL-safe base64, padded with `=` or `.`. */
function decodeSecret(encoded: Uint8Array): Result<Uint8Array, string> {
  const text = new TextDecoder().decode(encoded).trim();
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('.', '=');
  if (!PADDED_BASE64.test(standard)) return fail('jwt-secret: base64 decoding failed: not padded base64');
  return ok(Uint8Array.from(atob(standard), (character) => character.charCodeAt(0)));
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
