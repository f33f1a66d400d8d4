import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBase64Url } from '../../src/auth/base64url.ts';

it('decodes what Node encodes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(decodeBase64Url(Buffer.from(bytes).toString('base64url'))).toEqual(bytes);
    }),
  );
});

it.each(['A', 'AAAAA', 'QQ==', 'QUE=', 'Q Q', 'QQ\n', 'a+b_', 'a/b_', 'QÿQA', 'Q\u{1f600}', 'QR', 'QUF', '.'])(
  'rejects %j',
  (text) => {
    expect(decodeBase64Url(text)).toBeUndefined();
  },
);

it('accepts only the canonical encoding', () => {
  const digits = fc.constantFrom('A', 'B', 'Q', 'g', 'w', '9', '-', '_', '=', '+');
  fc.assert(
    fc.property(fc.string({ unit: digits, maxLength: 6 }), (text) => {
      const isCanonical = Buffer.from(text, 'base64url').toString('base64url') === text;
      expect(decodeBase64Url(text) !== undefined).toBe(isCanonical);
    }),
    { numRuns: 1000 },
  );
});
