// Decodes unpadded base64url; returns `undefined` for anything else. Used for keys and all three parts of a token.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const NOT_A_DIGIT = 64;

const digitValues = new Uint8Array(128).fill(NOT_A_DIGIT);
for (let value = 0; value < ALPHABET.length; value += 1) digitValues[ALPHABET.charCodeAt(value)] = value;

/**
 * Decodes base64url without padding (RFC 4648 §5). Strict, so that each value has exactly one encoding: no white space,
 * no `=`, and the unused bits after the last byte are zero.
 */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let size = 0;
  let pending = 0;
  let pendingBits = 0;
  for (let position = 0; position < text.length; position += 1) {
    const digit = digitValues[text.charCodeAt(position)] ?? NOT_A_DIGIT;
    if (digit === NOT_A_DIGIT) return undefined;
    pending = (pending << 6) | digit;
    pendingBits += 6;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      bytes[size] = pending >> pendingBits;
      size += 1;
      pending &= (1 << pendingBits) - 1;
    }
  }
  return pending === 0 ? bytes : undefined;
}
