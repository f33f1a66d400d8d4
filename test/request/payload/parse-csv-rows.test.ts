import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../src/contract/result.ts';
import { runSlices } from '../../../src/util/slices.ts';
import { parseCsvRows, type CsvRows } from '../../../src/request/payload/parse-csv-rows.ts';

function read(text: string): Result<CsvRows, string> {
  return runSlices(parseCsvRows(new TextEncoder().encode(text)));
}

function rowsOf(text: string): { readonly keys: readonly string[]; readonly rows: unknown } {
  const result = read(text);
  if (!result.ok) throw new Error(result.error);
  return { keys: result.value.keys, rows: JSON.parse(Buffer.concat(result.value.bytes).toString()) };
}

function refusal(text: string): string | undefined {
  const result = read(text);
  return result.ok ? undefined : result.error;
}

function quote(field: string): string {
  return `"${field.replaceAll('"', '""')}"`;
}

function countSlices(text: string): number {
  let count = 1;
  const slices = parseCsvRows(new TextEncoder().encode(text));
  while (slices.next().done !== true) count += 1;
  return count;
}

describe('parseCsvRows', () => {
  it('W22 reads long fields in slices, wherever these end', () => {
    for (const offset of [0, 1, 2, 3]) {
      const field = `${'x'.repeat(offset)}${'é😀"\n'.repeat(20_000)}`;
      const plain = `${'x'.repeat(offset)}${'é😀\r'.repeat(20_000)}x`;
      expect(rowsOf(`a,b,c\n${quote(field)},${plain},\n`).rows).toEqual([{ a: field, b: plain, c: '' }]);
    }
  });

  it.each([
    ['a quoted field', `a\n"${'""'.repeat(500_000)}"`],
    ['a field', `a\n${'\r'.repeat(999_998)}x`],
    ['a field without an end', `a\n"${'x'.repeat(1_000_000)}`],
    ['blank lines', `a\n${'\r\n'.repeat(500_000)}`],
    ['blank lines before the header', `${'\n'.repeat(1_000_000)}a\n`],
  ])('W21 pauses every 32 kB in %s', (_, text) => {
    expect(countSlices(text)).toBeGreaterThan(25);
  });

  it('W21 refuses a long name of a column', () => {
    expect(refusal(`${'x'.repeat(40_000)}\n1`)).toBe('The CSV has a column with a name of more than 32768 bytes');
  });

  it('W21 reads NULL as null and an empty field as text, drops blank lines, accepts LF and CRLF', () => {
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

  it('W23 reads a header without rows as the empty array, if its line is complete', () => {
    expect(rowsOf('code,label\n')).toEqual({ keys: [], rows: [] });
    expect(rowsOf('code,label\r\n\n')).toEqual({ keys: [], rows: [] });
    expect(refusal('code,label')).toBe('The header line of the CSV does not end');
  });

  it('W24 rejects rows of different lengths', () => {
    expect(refusal('k1,k2,note\n5,x,y\n6,z\n')).toBe('All lines must have same number of fields');
    expect(refusal('k1,k2,note\n6,z\n5,x,y\n')).toBe('All lines must have same number of fields');
  });

  it('W24 omits columns that no row fills', () => {
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

  it('W26 uses names literally', () => {
    expect(rowsOf('k1, k2,__proto__,"a ""b"""\n1,2,3,4\n').keys).toEqual([' k2', '__proto__', 'a "b"', 'k1']);
    expect(rowsOf('\ufeffk1\n1\n').keys).toEqual(['\ufeffk1']);
  });

  it('lets the last of two columns of the same name win', () => {
    expect(rowsOf('a,a\n1,2\n')).toEqual({ keys: ['a'], rows: [{ a: '2' }] });
  });

  it.each(['', '\n', '\r\n\r\n', 'a\n"open', 'a\nb"c\n', 'a\n"b"c\n'])('rejects %j', (text) => {
    expect(refusal(text)).toEqual(expect.stringMatching(/./));
  });

  it('rejects malformed UTF-8 rather than replacing it', () => {
    for (const bytes of [
      [0x61, 0x0a, 0xe4, 0x0a],
      [0x61, 0x0a, 0xe4],
      [0xff, 0x0a],
      [0x61, 0x0a, 0x22, 0xc3, 0x22],
    ]) {
      const error = 'CSV is not valid UTF-8';
      expect(runSlices(parseCsvRows(Uint8Array.from(bytes)))).toEqual({ ok: false, error });
    }
  });

  it('reads any quoted table back unchanged', () => {
    const table = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 2 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (records, lineEnd) => {
        const lines = [['a', 'b'], ...records].map((record) => record.map(quote).join(',') + lineEnd);
        const expected = records.map(([a, b]) => ({ a: a === 'NULL' ? null : a, b: b === 'NULL' ? null : b }));
        expect(rowsOf(lines.join('')).rows).toEqual(expected);
      }),
    );
  });

  it('keeps every character', () => {
    const characters = String.fromCodePoint(...Array.from({ length: 0x2ff }, (_, code) => code), 0xffff, 0x10ffff);
    expect(rowsOf(`a\n${quote(characters)}\n`).rows).toEqual([{ a: characters }]);
  });

  it('treats a carriage return without a line feed as a character', () => {
    expect(rowsOf('a,b\r\n1\r2,\r\n"\r",3\r').rows).toEqual([
      { a: '1\r2', b: '' },
      { a: '\r', b: '3\r' },
    ]);
  });

  it('distinguishes a quoted empty field from a blank line', () => {
    expect(rowsOf('\r\n\na\n\n""\n').rows).toEqual([{ a: '' }]);
  });

  it('rejects a body whose JSON would be many times longer', () => {
    const header = 'long'.repeat(2500);
    expect(rowsOf(`${header}\n${'1\n'.repeat(90)}`).keys).toEqual([header]);
    expect(refusal(`${header}\n${'1\n'.repeat(5000)}`)).toBe('The CSV has too many rows for names of that length');
  });

  it('rejects more columns than any relation has', () => {
    const line = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`).join();
    expect(rowsOf(`${line(10_000)}\n${line(10_000)}`).keys).toHaveLength(10_000);
    expect(refusal(`${line(10_001)}\n${line(10_001)}`)).toBe('The CSV has more than 10000 columns');
  });

  it.each([
    ['rows', `a,b\n${'1,2\n'.repeat(100_000)}`],
    ['fields', `a\n${'1,'.repeat(1_000_000)}\n`],
  ])('works in slices through many %s', (_, text) => {
    const slices = parseCsvRows(new TextEncoder().encode(text));
    let count = 0;
    while (slices.next().done !== true) count += 1;
    expect(count).toBeGreaterThan(50);
  });

  it('writes output in many pieces', () => {
    const count = 20_000;
    const { rows } = rowsOf(`a,b\n${'xé,"y ""z"""\n'.repeat(count)}`);
    expect(rows).toEqual(Array.from({ length: count }, () => ({ a: 'xé', b: 'y "z"' })));
  });
});
