// Checks that bytes are well-formed UTF-8 (RFC 3629, section 4) before they are passed on undecoded, and decodes long
// texts.
import type { Slices } from './slices.ts';

export const INVALID = -1;

/** Returns the position after the multi-byte character at `pos`, whose first byte is 0x80 or above, or `INVALID`. */
export function skipMultibyte(bytes: Uint8Array, pos: number): number {
  const first = bytes[pos] ?? 0;
  if (first < 0xc2) return INVALID;
  if (first < 0xe0) return isContinuation(bytes, pos + 1) ? pos + 2 : INVALID;
  const second = bytes[pos + 1] ?? 0;
  if (first < 0xf0) {
    // Overlong forms begin with E0 80-9F, surrogates with ED A0-BF.
    if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return INVALID;
    return isContinuation(bytes, pos + 1) && isContinuation(bytes, pos + 2) ? pos + 3 : INVALID;
  }
  // Overlong forms begin with F0 80-8F; F4 90 and above lies beyond U+10FFFF.
  if (first > 0xf4 || (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return INVALID;
  const isWhole = isContinuation(bytes, pos + 1) && isContinuation(bytes, pos + 2) && isContinuation(bytes, pos + 3);
  return isWhole ? pos + 4 : INVALID;
}

export function isUtf8(bytes: Uint8Array): boolean {
  let pos = 0;
  while (pos < bytes.length) {
    if ((bytes[pos] ?? 0) < 0x80) {
      pos++;
    } else {
      pos = skipMultibyte(bytes, pos);
      if (pos === INVALID) return false;
    }
  }
  return true;
}

const BYTES_PER_SLICE = 65_536;

/** @param fatal throws at bytes that are not UTF-8 instead of replacing them */
export function* decodeInSlices(bytes: Uint8Array, fatal: boolean): Slices<string> {
  const decoder = new TextDecoder('utf-8', { fatal, ignoreBOM: true });
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_PER_SLICE) {
    const isLast = at + BYTES_PER_SLICE >= bytes.length;
    parts.push(decoder.decode(bytes.subarray(at, at + BYTES_PER_SLICE), { stream: !isLast }));
    if (!isLast) yield;
  }
  return parts.join('');
}

function isContinuation(bytes: Uint8Array, pos: number): boolean {
  return ((bytes[pos] ?? 0) & 0xc0) === 0x80;
}
