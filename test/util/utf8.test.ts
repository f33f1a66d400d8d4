import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUtf8 } from '../../src/util/utf8.ts';

function decodes(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** All continuation bytes and adjacent values. */
const SECOND_BYTES = [0x00, 0x7f, ...Array.from({ length: 0x40 }, (_, index) => 0x80 + index), 0xc0, 0xff];

describe('isUtf8', () => {
  it.each([
    ['an overlong form of two bytes', [0xc1, 0xbf]],
    ['an overlong form of three bytes', [0xe0, 0x9f, 0xbf]],
    ['an overlong form of four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a lone continuation byte', [0x80]],
    ['a byte that begins no character', [0xff]],
    ['a character cut at the end', [0xe2, 0x82]],
  ])('rejects %s', (_, bytes) => {
    expect(isUtf8(Uint8Array.from(bytes))).toBe(false);
  });

  it('accepts the first and last code points of every length', () => {
    const text = '\u0000\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}';
    expect(isUtf8(new TextEncoder().encode(text))).toBe(true);
  });

  it('agrees with the platform on every first byte before every continuation byte', () => {
    const disagreeing: number[][] = [];
    for (let first = 0x80; first < 0x100; first++) {
      for (const second of SECOND_BYTES) {
        for (const tail of [[], [0x80], [0xbf, 0xbf]]) {
          const bytes = Uint8Array.from([first, second, ...tail]);
          if (isUtf8(bytes) !== decodes(bytes)) disagreeing.push([...bytes]);
        }
      }
    }
    expect(disagreeing).toEqual([]);
  });

  it('agrees with the platform on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        expect(isUtf8(bytes)).toBe(decodes(bytes));
      }),
    );
  });
});
