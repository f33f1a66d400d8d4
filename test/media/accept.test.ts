import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { parseAccept } from '../../src/media/accept.ts';
import { printMediaType } from '../../src/media/media-type.ts';

function parseAndPrint(header: string | undefined): readonly string[] {
  return parseAccept(header, SVC_DIALECT).map(printMediaType);
}

describe('parseAccept', () => {
  it('W220 treats an absent header as */*', () => {
    expect(parseAndPrint(undefined)).toEqual(['*/*']);
  });

  it('W220 orders a browser header by quality', () => {
    expect(parseAndPrint('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')).toEqual([
      'text/html',
      'application/xhtml+xml',
      'application/xml',
      '*/*',
    ]);
  });

  it.each([
    ['application/json;q=0.1, text/csv', ['text/csv', 'application/json']],
    ['text/csv;q=0.2,application/json;q=0.9', ['application/json', 'text/csv']],
    ['text/csv;q=0', ['text/csv']],
    ['text/csv;q=0, */*;q=0.1', ['*/*', 'text/csv']],
    ['a/b;q=x, c/d;q=0.9', ['a/b', 'c/d']],
    ['a/b;q=, c/d;q=0.9', ['a/b', 'c/d']],
    ['a/b;q=.5, c/d;q=0.9', ['a/b', 'c/d']],
    ['a/b;q=0.5;x=1, c/d;q=0.9', ['c/d', 'a/b']],
    ['a/b;q=2, c/d', ['a/b', 'c/d']],
    ['a/b;Q=0.1, c/d', ['a/b;Q=0.1', 'c/d']],
  ])('W221 orders %s by quality', (header, expected) => {
    expect(parseAndPrint(header)).toEqual(expected);
  });

  it.each([
    ['*/*, text/csv', ['text/csv', '*/*']],
    ['image/*, */*, image/png', ['image/png', 'image/*', '*/*']],
    ['a/b, c/d;x=1', ['c/d;x=1', 'a/b']],
    ['a/b, c/d', ['a/b', 'c/d']],
  ])('W222 orders %s by specificity if qualities are equal, then as sent', (header, expected) => {
    expect(parseAndPrint(header)).toEqual(expected);
  });

  it('removes every space and keeps the rest as received', () => {
    expect(parseAndPrint(' text/x - codes ; a = B ,undefined')).toEqual(['text/x-codes;a=B', 'undefined']);
  });

  it('keeps an empty header as one unknown type', () => {
    expect(parseAndPrint('')).toEqual(['']);
  });

  it('returns the same types when cached, per vendor, and after many other headers', () => {
    const header = 'application/vnd.svc.object;q=0.5, application/vnd.acme.object';
    const expected = [
      { kind: 'other', text: 'application/vnd.acme.object', essence: 'application/vnd.acme.object' },
      { kind: 'object', stripped: false, vendor: 'svc' },
    ];
    expect(parseAccept(header, SVC_DIALECT)).toEqual(expected);
    expect(parseAccept(header, { ...SVC_DIALECT, mediaVendor: 'acme' })[0]).toEqual({
      kind: 'object',
      stripped: false,
      vendor: 'acme',
    });
    for (let index = 0; index < 500; index++) parseAccept(`text/x-${index}`, SVC_DIALECT);
    expect(parseAccept(header, SVC_DIALECT)).toEqual(expected);
  });

  it('accepts any text and loses no item', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(parseAccept(header, SVC_DIALECT)).toHaveLength(header.split(',').length);
      }),
    );
  });
});
