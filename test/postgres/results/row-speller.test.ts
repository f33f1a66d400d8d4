// Rows become JSON objects however their messages are cut, and whatever their length and number of columns.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SpelledDelivery } from '../../../src/contract/delivery.ts';
import { LineBuffer } from '../../../src/postgres/results/line-buffer.ts';
import { createObjectsWriter } from '../../../src/postgres/results/objects-writer.ts';
import type { RowWriter } from '../../../src/postgres/results/row-writer.ts';
import type { ServerMessage } from '../../../src/postgres/wire/decoder.ts';
import { RowParts } from '../../../src/postgres/wire/row-parts.ts';
import { isLong } from '../../support/long-form.ts';
import { describeRow, row } from '../support/server-messages.ts';

const HEADER = 5;
const HEAD = ['1', null, null, null, null, null] as const;

/** A column: its type, the text of its value, and what that is in JSON. */
type Cell = readonly [typeOid: number, text: string | null, json: string];

const CELLS: readonly Cell[] = [
  [23, '-17', '-17'],
  [1700, 'NaN', '"NaN"'],
  [701, '-Infinity', '"-Infinity"'],
  [1700, `-${'9'.repeat(200)}.5`, `-${'9'.repeat(200)}.5`],
  [16, 't', 'true'],
  [16, 'f', 'false'],
  [25, '', '""'],
  [25, null, 'null'],
  [
    25,
    'a"b\\c/\b\f\n\r\t\u0001\u001f\u007fä😀\u2028',
    String.raw`"a\"b\\c/\b\f\n\r\t\u0001\u001f` + '\u007fä😀\u2028"',
  ],
  [25, '"\n'.repeat(40), `"${String.raw`\"\n`.repeat(40)}"`],
  [3802, '{"a": [1, "\\n"]}', '{"a": [1, "\\n"]}'],
  [114, `[${'1,\n '.repeat(30)}2]`, `[${'1,\n '.repeat(30)}2]`],
  [1082, '0044-03-15 BC', '"0044-03-15 BC"'],
  [1114, '10000-01-02 03:04:05.678', '"10000-01-02T03:04:05.678"'],
  [1184, '2024-01-02 03:04:05+00', '"2024-01-02T03:04:05+00:00"'],
  [1184, '0044-01-02 03:04:05.1-00:01:15 BC', '"0044-01-02T03:04:05.1-00:01:15 BC"'],
  [1184, 'infinity', '"infinity"'],
  [1082, '-infinity', '"-infinity"'],
];

function deliveryOf(): SpelledDelivery {
  return { kind: 'countedRows', format: 'objects', spelledTypes: new Set([25]), isLong: false };
}

function messageOf(bytes: Buffer): ServerMessage {
  return { type: bytes[0] ?? 0, bytes, start: HEADER, end: bytes.length };
}

interface Written {
  readonly text: () => string;
  readonly writer: RowWriter;
}

function open(cells: readonly Cell[]): Written {
  const pieces: Buffer[] = [];
  const lines = new LineBuffer((piece) => pieces.push(Buffer.from(piece)));
  const writer = createObjectsWriter(lines, deliveryOf());
  const names = cells.map(([typeOid], index) => [`c"${index}`, typeOid] as const);
  const description = describeRow(...HEAD.map((_, index) => [`h${index}`, 25] as const), ...names);
  expect(writer.describe(messageOf(description))).toBe(true);
  const text = (): string => {
    writer.end();
    lines.flush();
    return Buffer.concat(pieces).toString();
  };
  return { text, writer };
}

function rowOf(cells: readonly Cell[]): Buffer {
  return row(...HEAD, ...cells.map(([, text]) => text));
}

function expectedOf(cells: readonly Cell[], count: number): string {
  const object = `{${cells.map(([, , json], index) => String.raw`"c\"${index}":` + json).join(',')}}`;
  return `[${Array<string>(count).fill(object).join(', \n ')}]`;
}

/** Writes rows as whole messages. */
function writeWhole(cells: readonly Cell[], count: number): string | undefined {
  const { text, writer } = open(cells);
  const message = messageOf(rowOf(cells));
  for (let index = 0; index < count; index += 1) if (writer.add(message) !== 'added') return undefined;
  return text();
}

/** Writes one row that arrives in pieces. */
function writeCut(cells: readonly Cell[], cuts: readonly number[]): string | undefined {
  const { text, writer } = open(cells);
  const body = rowOf(cells).subarray(HEADER);
  let isWritten = false;
  const parts = new RowParts(body.length, writer.parts?.leading, {
    onHead: () => writer.parts?.begin(),
    onPiece: (piece) => expect(writer.parts?.add(piece)).toBe(true),
    onEnd: () => (isWritten = writer.parts?.end() === true),
    onFault: () => expect.unreachable(),
  });
  const places = [0, ...cuts.filter((cut) => cut < body.length).toSorted((a, b) => a - b), body.length];
  for (const [index, end] of places.entries()) {
    const start = places[index - 1] ?? 0;
    if (end > start) parts.add(Buffer.from(body.subarray(start, end)));
  }
  return isWritten ? text() : undefined;
}

describe('P8 a row', () => {
  test('is written whole', () => {
    expect(writeWhole(CELLS, 1)).toBe(expectedOf(CELLS, 1));
    expect(writeWhole(CELLS, 300)).toBe(expectedOf(CELLS, 300));
  });

  test('is written the same wherever its message is cut', () => {
    const { length } = rowOf(CELLS).subarray(HEADER);
    for (let cut = 1; cut < length; cut += 1) expect(writeCut(CELLS, [cut])).toBe(expectedOf(CELLS, 1));
    const every = Array.from({ length: length - 1 }, (_, index) => index + 1);
    expect(writeCut(CELLS, every)).toBe(expectedOf(CELLS, 1));
  });

  test.each([0, 1, 2, 100, 1600, 1664])('may have %i columns', (count) => {
    const cells = Array.from({ length: count }, (_, index) => CELLS[index % CELLS.length] ?? CELLS[0]) as Cell[];
    expect(writeWhole(cells, 2)).toBe(expectedOf(cells, 2));
    expect(writeCut(cells, [1, 30, 31, 32, 33, 60])).toBe(expectedOf(cells, 1));
  });

  test.each([1, 63, 64, 65, 2047, 2048, 2049, 16_000, 70_000, 300_000])('may have a value of %i bytes', (size) => {
    const cells: readonly Cell[] = [
      [25, '"'.repeat(size), `"${String.raw`\"`.repeat(size)}"`],
      [25, '\u0001'.repeat(size), `"${String.raw`\u0001`.repeat(size)}"`],
      [114, `"${'x'.repeat(size)}"`, `"${'x'.repeat(size)}"`],
      [20, '7', '7'],
    ];
    expect(writeWhole(cells, 2)).toBe(expectedOf(cells, 2));
    expect(writeCut(cells, [26, 27, size])).toBe(expectedOf(cells, 1));
  });

  test('is refused if a date has another style, or a column an unknown type', () => {
    expect(writeWhole([[1082, '15.03.2024', '']], 1)).toBeUndefined();
    expect(writeWhole([[1082, '03-15-2024', '']], 1)).toBeUndefined();
    expect(writeWhole([[1184, 'Fri Mar 15 01:02:03 2024 CET', '']], 1)).toBeUndefined();
    expect(writeWhole([[1114, '03/15/2024 01:02:03', '']], 1)).toBeUndefined();
    expect(writeWhole([[1007, '{1,2}', '']], 1)).toBeUndefined();
  });

  test('of an empty result is none', () => {
    const { text, writer } = open([[25, null, 'null']]);
    const message = messageOf(row('0', null, null, null, null, null, null));
    expect(writer.add(message)).toBe('added');
    expect(text()).toBe('[]');
  });

  test('of random texts is what JSON says, however it is cut', () => {
    const texts = fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 90 })), { maxLength: 8 });
    const property = fc.property(texts, fc.array(fc.nat(500), { maxLength: 6 }), (values, cuts) => {
      const cells = values.map((value): Cell => [25, value, '']);
      const whole = writeWhole(cells, 1);
      expect(writeCut(cells, cuts)).toBe(whole);
      const [parsed] = JSON.parse(whole ?? '') as readonly Record<string, unknown>[];
      expect(Object.values(parsed ?? {})).toEqual(values);
    });
    fc.assert(property, { numRuns: isLong ? 100_000 : 200 });
  });
});
