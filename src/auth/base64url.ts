// Encodes and decodes unpadded base64url. Used for keys, all three parts of a token, and page tokens.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const NOT_A_DIGIT = 64;

const digitValues = new Uint8Array(128).fill(NOT_A_DIGIT);
for (let value = 0; value < ALPHABET.length; value += 1) digitValues[ALPHABET.charCodeAt(value)] = value;

export function encodeBase64Url(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let pendingBits = 0;
  for (const byte of bytes) {
    pending = ((pending & 63) << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 6) {
      pendingBits -= 6;
      text += ALPHABET[(pending >> pendingBits) & 63] ?? '';
    }
  }
  return pendingBits === 0 ? text : text + (ALPHABET[(pending << (6 - pendingBits)) & 63] ?? '');
}

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
