// Recognizes the key format of the bytes of `jwt-secret` by their appearance alone: if a public key were accepted as a
// passphrase, anyone could sign tokens.

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

export type KeyFormat = 'JSON' | 'PEM' | 'OpenSSH' | 'DER';

/** @param text the bytes decoded as UTF-8, if they are valid */
export function detectKeyFormat(bytes: Uint8Array, text: string | undefined): KeyFormat | undefined {
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
