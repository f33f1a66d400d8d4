import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SVC_DIALECT } from '../../../src/contract/dialect.ts';
import { runSlices } from '../../../src/util/slices.ts';
import { parsePayload, type PayloadRequest } from '../../../src/request/payload/parse-payload.ts';

/** Returns the result with bytes as text. */
function parse(body: string, request: Partial<PayloadRequest> = {}): unknown {
  const all = {
    contentType: undefined,
    target: 'relation',
    columns: undefined,
    ...request,
    body: new TextEncoder().encode(body),
  } as const;
  const result = runSlices(parsePayload(all, { dialect: SVC_DIALECT, maxJsonDepth: 512 }));
  if (!result.ok) return result.error;
  const payload = result.value;
  return 'bytes' in payload ? { ...payload, bytes: Buffer.concat(payload.bytes).toString() } : payload;
}

function json(bytes: string, keys: readonly string[], isArray: boolean): unknown {
  return { kind: 'json', source: 'json', bytes, isArray, keys };
}

function isJsonOf(value: unknown): (text: string) => boolean {
  return (text) => JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
}

const EMPTY_OR_INVALID = { kind: 'invalidBody', message: 'Empty or invalid json' };
const UNEQUAL_KEYS = { kind: 'invalidBody', message: 'All object keys must match' };

describe('Content-Type', () => {
  it('W1 defaults to JSON', () => {
    expect(parse('{"code":"D-4"}')).toEqual(json('{"code":"D-4"}', ['code'], false));
  });

  it.each(['application/json; charset=utf-8', 'application/json;;odd', 'Application/JSON; q', 'application/json ;'])(
    'W2 treats %s as JSON',
    (contentType) => {
      expect(parse('{}', { contentType })).toEqual(json('{}', [], false));
    },
  );

  it.each([
    ['application/x-thing', 'application/x-thing'],
    ['Application/X-Thing;v=1', 'Application/X-Thing;v=1'],
    ['application/vnd.svc.object', 'application/vnd.svc.object+json'],
    ['application/vnd.svc.array+json;nulls=stripped', 'application/vnd.svc.array+json;nulls=stripped'],
    ['application/geo+json; x', 'application/geo+json'],
    ['', ''],
  ])('W3 %j is not acceptable', (contentType, printed) => {
    const error = { kind: 'contentTypeUnsupported', contentType: printed };
    expect(parse('{}', { contentType })).toEqual(error);
    expect(parse('{}', { contentType, target: 'routine' })).toEqual(error);
  });

  it.each([
    ['text/plain', 'text'],
    ['Text/XML; charset=utf-8', 'xml'],
    ['application/octet-stream', 'octets'],
  ])('W4 W191 %s reaches functions only', (contentType, format) => {
    expect(parse('{x', { contentType, target: 'routine' })).toEqual({ kind: 'raw', format, bytes: '{x' });
    expect(parse('{x', { contentType })).toEqual({
      kind: 'contentTypeUnsupported',
      contentType: contentType.toLowerCase().replace(/;.*/, ''),
    });
  });

  it('W6 treats the array type as JSON', () => {
    expect(parse('[{"id":3}]', { contentType: 'application/vnd.svc.array+json' })).toEqual(
      json('[{"id":3}]', ['id'], true),
    );
  });
});

describe('JSON', () => {
  it('W7 W8 rejects malformed and empty bodies', () => {
    expect(parse('{"code": }')).toEqual({ ...EMPTY_OR_INVALID, place: { line: 1, column: 10 } });
    expect(parse('')).toEqual({ ...EMPTY_OR_INVALID, place: { line: 1, column: 1 } });
    expect(parse(' ', { target: 'routine' })).toEqual({ ...EMPTY_OR_INVALID, place: { line: 1, column: 2 } });
  });

  it('W9 W11 W12 W196 rejects arrays other than of objects with the same keys', () => {
    expect(parse('[{"code":"x1"},{"qty":1}]')).toEqual(UNEQUAL_KEYS);
    expect(parse('[{"code":"x1"},7]')).toEqual(UNEQUAL_KEYS);
    expect(parse('[7]')).toEqual(UNEQUAL_KEYS);
    expect(parse('[{"a":2,"b":3},{"a":9}]', { target: 'routine' })).toEqual(UNEQUAL_KEYS);
  });

  it('W13 replaces a scalar with the empty array', () => {
    expect(parse('"x"')).toEqual(json('[]', [], true));
    expect(parse(' null ', { target: 'routine' })).toEqual(json('[]', [], true));
  });

  it('W14 W15 W16 W36 leaves the body to the database when columns are given', () => {
    const columns = ['qty', 'code', 'qty'];
    const keys = ['code', 'qty'];
    expect(parse('[{"code":1},{"zzz":1},7]', { columns })).toEqual(json('[{"code":1},{"zzz":1},7]', keys, true));
    expect(parse('{"code": }', { columns })).toEqual(json('{"code": }', keys, false));
    expect(parse('"x"', { columns })).toEqual(json('"x"', keys, true));
    expect(parse('', { columns })).toEqual(json('', keys, true));
    expect(parse('', { columns, target: 'routine' })).toEqual(json('', keys, true));
    expect(parse(' \t\r\n{}', { columns })).toEqual(json(' \t\r\n{}', keys, false));
  });

  it('W17 W18 W45 passes the text on unchanged', () => {
    const body = ' \r\n{"big":9223372036854775807,"doc":{"a":1,"a":1.50}}\t';
    expect(parse(body)).toEqual(json(body, ['big', 'doc'], false));
  });

  it('W39 W102 distinguishes the empty forms', () => {
    expect(parse('{}')).toEqual(json('{}', [], false));
    expect(parse('[]')).toEqual(json('[]', [], true));
    expect(parse('[{},{}]')).toEqual(json('[{},{}]', [], true));
  });

  it('W198 an empty body of a function call has no arguments', () => {
    expect(parse('', { target: 'routine' })).toEqual(json('', [], false));
  });
});

describe('CSV', () => {
  it('W19 W21 becomes a JSON array and ignores columns', () => {
    expect(parse('qty,code\n4,x1\n', { contentType: 'text/csv; header=present', columns: ['code'] })).toEqual({
      kind: 'json',
      source: 'csv',
      bytes: '[{"qty":"4","code":"x1"}]',
      isArray: true,
      keys: ['code', 'qty'],
    });
  });

  it('W23 is the empty array without rows', () => {
    expect(parse('code\n', { contentType: 'text/csv' })).toEqual({
      kind: 'json',
      source: 'csv',
      bytes: '[]',
      isArray: true,
      keys: [],
    });
  });

  it('W24 fails with a message only', () => {
    expect(parse('a,b\n1,2\n3\n', { contentType: 'text/csv' })).toEqual({
      kind: 'invalidBody',
      message: 'All lines must have same number of fields',
    });
  });
});

describe('form', () => {
  const contentType = 'application/x-www-form-urlencoded';

  it('accepts up to 10000 fields', () => {
    expect(parse('a=1&'.repeat(9999), { contentType })).toMatchObject({ keys: ['a'] });
    expect(parse('a=1&'.repeat(10_000), { contentType })).toEqual({
      kind: 'limitExceeded',
      limit: 'forms have up to 10000 fields',
      status: 400,
    });
  });

  it('W19 W27 is one object of strings on a relation; the last repeat wins', () => {
    expect(parse('k1=5&k2=b+c%26&note=one&note=two&&e', { contentType, columns: ['k1'] })).toEqual({
      kind: 'json',
      source: 'form',
      bytes: '{"k1":"5","k2":"b c&","note":"two","e":""}',
      isArray: false,
      keys: ['e', 'k1', 'k2', 'note'],
    });
  });

  it('W28 is the empty object without fields', () => {
    expect(parse('', { contentType })).toEqual({ kind: 'json', source: 'form', bytes: '{}', isArray: false, keys: [] });
  });

  it('W199 W200 keeps repeated fields in order on a function', () => {
    expect(parse('a=1&rest=5&?b=%C3%A9&rest=6&__proto__=x', { contentType, target: 'routine' })).toEqual({
      kind: 'form',
      fields: [
        ['a', '1'],
        ['rest', '5'],
        ['?b', 'é'],
        ['rest', '6'],
        ['__proto__', 'x'],
      ],
    });
    expect(parse('?a=1', { contentType, target: 'routine' })).toEqual({ kind: 'form', fields: [['?a', '1']] });
  });

  it('W199 decodes fields as the URL standard does, also long ones', () => {
    // Node misreads characters beyond ASCII next to escapes that are not UTF-8.
    const pieces = 'a %41 %c3%a9 %f0%9f%98%80 %f0%9f %ef%bb%bf % %4 + & = " \\ \n'.split(' ');
    const piece = fc.constantFrom(...pieces);
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom(1, 4000), (some, times) => {
        const body = `x${some.join('').replaceAll('&', times === 1 ? '&' : '')}`.repeat(times);
        const fields = [...new URLSearchParams(`&${body}`)];
        expect(parse(body, { contentType, target: 'routine' })).toEqual({ kind: 'form', fields });
        expect(parse(body, { contentType })).toMatchObject({
          bytes: expect.toSatisfy(isJsonOf(Object.fromEntries(fields))),
        });
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['one field', 'x'.repeat(1_000_000)],
    ['escapes', '%41'.repeat(300_000)],
    ['plus signs', '+'.repeat(1_000_000)],
    ['fields', 'a=1&'.repeat(9999) + 'b='.repeat(400_000)],
  ])('W27 W199 pauses every 64 kB in %s', (_, text) => {
    const body = new TextEncoder().encode(`name=${text}`);
    for (const target of ['relation', 'routine'] as const) {
      const slices = parsePayload(
        { contentType, target, columns: undefined, body },
        { dialect: SVC_DIALECT, maxJsonDepth: 5 },
      );
      let count = 1;
      while (slices.next().done !== true) count += 1;
      expect(count).toBeGreaterThan(40);
    }
  });

  it('keeps a field named __proto__ as a key', () => {
    expect(parse('__proto__=x', { contentType })).toEqual({
      kind: 'json',
      source: 'form',
      bytes: '{"__proto__":"x"}',
      isArray: false,
      keys: ['__proto__'],
    });
  });
});
