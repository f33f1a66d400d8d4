import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsvRows } from '../../../src/request/payload/parse-csv-rows.ts';

function rowsOf(text: string): { readonly keys: readonly string[]; readonly rows: unknown } {
  const result = parseCsvRows(new TextEncoder().encode(text));
  if (!result.ok) throw new Error(result.error);
  return { keys: result.value.keys, rows: JSON.parse(new TextDecoder().decode(result.value.bytes)) };
}

function refusal(text: string): string | undefined {
  const result = parseCsvRows(new TextEncoder().encode(text));
  return result.ok ? undefined : result.error;
}

function quote(field: string): string {
  return `"${field.replaceAll('"', '""')}"`;
}

describe('parseCsvRows', () => {
  it('W21 reads NULL as null, an empty field as text, drops blank lines, takes LF and CRLF', () => {
    expect(rowsOf('code,label,qty\nx1,NULL,4\nx2,,5\r\n\nx3,"NULL",6\r\n\r\nx4,null,""')).toEqual({
      keys: ['code', 'label', 'qty'],
      rows: [
        { code: 'x1', label: null, qty: '4' },
        { code: 'x2', label: '', qty: '5' },
        { code: 'x3', label: null, qty: '6' },
        { code: 'x4', label: 'null', qty: '' },
      ],
    });
  });

  it('W22 decodes quoted fields', () => {
    expect(rowsOf('k1,note\n5,"a, ""b""\nc"\n6,"\t\u00e9\u{1f600}\\"')).toEqual({
      keys: ['k1', 'note'],
      rows: [
        { k1: '5', note: 'a, "b"\nc' },
        { k1: '6', note: '\t\u00e9\u{1f600}\\' },
      ],
    });
  });

  it('W23 reads a header without rows as the empty array, if its line ends', () => {
    expect(rowsOf('code,label\n')).toEqual({ keys: [], rows: [] });
    expect(rowsOf('code,label\r\n\n')).toEqual({ keys: [], rows: [] });
    expect(refusal('code,label')).toBe('The header line of the CSV does not end');
  });

  it('W24 refuses rows of different length', () => {
    expect(refusal('k1,k2,note\n5,x,y\n6,z\n')).toBe('All lines must have same number of fields');
    expect(refusal('k1,k2,note\n6,z\n5,x,y\n')).toBe('All lines must have same number of fields');
  });

  it('W24 leaves out columns that no row fills', () => {
    expect(rowsOf('code,qty,label\nx1,1\nx2,2\n')).toEqual({
      keys: ['code', 'qty'],
      rows: [
        { code: 'x1', qty: '1' },
        { code: 'x2', qty: '2' },
      ],
    });
  });

  it('W25 drops fields beyond the header', () => {
    expect(rowsOf('k1,k2\n5,x,lost,lost\n6,y\n7,z,lost\n')).toEqual({
      keys: ['k1', 'k2'],
      rows: [
        { k1: '5', k2: 'x' },
        { k1: '6', k2: 'y' },
        { k1: '7', k2: 'z' },
      ],
    });
  });

  it('W26 takes names literally', () => {
    expect(rowsOf('k1, k2,__proto__,"a ""b"""\n1,2,3,4\n').keys).toEqual([' k2', '__proto__', 'a "b"', 'k1']);
    expect(rowsOf('\ufeffk1\n1\n').keys).toEqual(['\ufeffk1']);
  });

  it('lets the last of two columns of the same name win', () => {
    expect(rowsOf('a,a\n1,2\n')).toEqual({ keys: ['a'], rows: [{ a: '2' }] });
  });

  it.each(['', '\n', '\r\n\r\n', 'a\n"open', 'a\nb"c\n', 'a\n"b"c\n'])('refuses %j', (text) => {
    expect(refusal(text)).toEqual(expect.stringMatching(/./));
  });

  it('refuses malformed UTF-8 rather than replace it', () => {
    expect(parseCsvRows(Uint8Array.from([0x61, 0x0a, 0xe4, 0x0a]))).toEqual({
      ok: false,
      error: 'CSV is not valid UTF-8',
    });
  });

  it('reads back any table that was quoted', () => {
    const table = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 2 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (records, lineEnd) => {
        const lines = [['a', 'b'], ...records].map((record) => record.map(quote).join(',') + lineEnd);
        const expected = records.map(([a, b]) => ({ a: a === 'NULL' ? null : a, b: b === 'NULL' ? null : b }));
        expect(rowsOf(lines.join('')).rows).toEqual(expected);
      }),
    );
  });

  it('joins output longer than one chunk', () => {
    const count = 20_000;
    const { rows } = rowsOf(`a,b\n${'xé,"y ""z"""\n'.repeat(count)}`);
    expect(rows).toEqual(Array.from({ length: count }, () => ({ a: 'xé', b: 'y "z"' })));
  });
});
