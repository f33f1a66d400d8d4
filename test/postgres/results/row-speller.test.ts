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
/** The counts, and whether dates have the style ISO. */
const HEAD = ['1', null, null, null, null, null, 't'] as const;
const LINE_HEAD = [null, null, null, 't'] as const;

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

const SPELLED_TYPES: ReadonlySet<number> = new Set([25]);
const ARRAY: SpelledDelivery = { kind: 'countedRows', format: 'objects', spelledTypes: SPELLED_TYPES, isLong: false };
const LINES: SpelledDelivery = { kind: 'ndjson', spelledTypes: SPELLED_TYPES };

function messageOf(bytes: Buffer): ServerMessage {
  return { type: bytes[0] ?? 0, bytes, start: HEADER, end: bytes.length };
}

interface Written {
  readonly text: () => string;
  readonly writer: RowWriter;
}

function headOf({ kind }: SpelledDelivery): readonly (string | null)[] {
  return kind === 'ndjson' ? LINE_HEAD : HEAD;
}

function open(cells: readonly Cell[], delivery: SpelledDelivery): Written {
  const pieces: Buffer[] = [];
  const lines = new LineBuffer((piece) => pieces.push(Buffer.from(piece)));
  const writer = createObjectsWriter(lines, { ...delivery });
  const names = cells.map(([typeOid], index) => [`c"${index}`, typeOid] as const);
  const description = describeRow(...headOf(delivery).map((_, index) => [`h${index}`, 25] as const), ...names);
  expect(writer.describe(messageOf(description))).toBe(true);
  const text = (): string => {
    writer.end();
    lines.flush();
    return Buffer.concat(pieces).toString();
  };
  return { text, writer };
}

function rowOf(cells: readonly Cell[], head: readonly (string | null)[]): Buffer {
  return row(...head, ...cells.map(([, text]) => text));
}

function expectedOf(cells: readonly Cell[], count: number, { kind }: SpelledDelivery = ARRAY): string {
  const object = `{${cells.map(([, , json], index) => String.raw`"c\"${index}":` + json).join(',')}}`;
  if (kind === 'ndjson') return `${object.replaceAll('\n', ' ')}\n`.repeat(count);
  return `[${Array<string>(count).fill(object).join(', \n ')}]`;
}

/** Writes rows as whole messages. */
function writeWhole(
  cells: readonly Cell[],
  count: number,
  delivery = ARRAY,
  head = headOf(delivery),
): string | undefined {
  const { text, writer } = open(cells, delivery);
  const message = messageOf(rowOf(cells, head));
  for (let index = 0; index < count; index += 1) if (writer.add(message) !== 'added') return undefined;
  return text();
}

/** Writes one row that arrives in pieces. */
function writeCut(
  cells: readonly Cell[],
  cuts: readonly number[],
  delivery = ARRAY,
  head = headOf(delivery),
): string | undefined {
  const { text, writer } = open(cells, delivery);
  const body = rowOf(cells, head).subarray(HEADER);
  let isWritten = true;
  const parts = new RowParts(body.length, writer.parts?.leading, {
    onHead: (columns) => (isWritten = writer.parts?.begin(columns) === true),
    onPiece: (piece) => (isWritten &&= writer.parts?.add(piece) === true),
    onEnd: () => (isWritten &&= writer.parts?.end() === true),
    onFault: () => expect.unreachable(),
  });
  const places = [0, ...cuts.filter((cut) => cut < body.length).toSorted((a, b) => a - b), body.length];
  for (const [index, end] of places.entries()) {
    const start = places[index - 1] ?? 0;
    if (end > start) parts.add(Buffer.from(body.subarray(start, end)));
  }
  return isWritten ? text() : undefined;
}

describe.each([
  ['an array', ARRAY],
  ['lines', LINES],
] as const)('P8 a row of %s', (_, delivery) => {
  test('is written whole', () => {
    expect(writeWhole(CELLS, 1, delivery)).toBe(expectedOf(CELLS, 1, delivery));
    expect(writeWhole(CELLS, 300, delivery)).toBe(expectedOf(CELLS, 300, delivery));
  });

  test('is written the same wherever its message is cut', () => {
    const { length } = rowOf(CELLS, headOf(delivery)).subarray(HEADER);
    const expected = expectedOf(CELLS, 1, delivery);
    for (let cut = 1; cut < length; cut += 1) expect(writeCut(CELLS, [cut], delivery)).toBe(expected);
    const every = Array.from({ length: length - 1 }, (__, index) => index + 1);
    expect(writeCut(CELLS, every, delivery)).toBe(expected);
  });

  test.each([0, 1, 2, 100, 1600, 1657])('may have %i columns', (count) => {
    const cells = Array.from({ length: count }, (__, index) => CELLS[index % CELLS.length] ?? CELLS[0]) as Cell[];
    expect(writeWhole(cells, 2, delivery)).toBe(expectedOf(cells, 2, delivery));
    expect(writeCut(cells, [1, 30, 31, 32, 33, 60], delivery)).toBe(expectedOf(cells, 1, delivery));
  });

  test.each([1, 63, 64, 65, 2047, 2048, 2049, 16_000, 70_000, 300_000])('may have a value of %i bytes', (size) => {
    const cells: readonly Cell[] = [
      [25, '"'.repeat(size), `"${String.raw`\"`.repeat(size)}"`],
      [25, '\u0001'.repeat(size), `"${String.raw`\u0001`.repeat(size)}"`],
      [114, `["${'x'.repeat(size)}",\n1]`, `["${'x'.repeat(size)}",\n1]`],
      [20, '7', '7'],
    ];
    expect(writeWhole(cells, 2, delivery)).toBe(expectedOf(cells, 2, delivery));
    expect(writeCut(cells, [26, 27, size], delivery)).toBe(expectedOf(cells, 1, delivery));
  });

  test.each<Cell>([
    [1082, '15.03.2024', ''],
    [1082, '03-15-2024', ''],
    [1184, 'Fri Mar 15 01:02:03 2024 CET', ''],
    [1114, '03/15/2024 01:02:03', ''],
    [1007, '{1,2}', ''],
  ])('is refused if a date has another style, or a column an unknown type: %i %s', (...cell) => {
    expect(writeWhole([cell], 1, delivery)).toBeUndefined();
    expect(writeCut([cell], [], delivery)).toBeUndefined();
  });

  test('is refused at once if dates have another style, even if there is none in the first row', () => {
    const head = [...headOf(delivery).slice(0, -1), 'f'];
    expect(writeWhole([[1082, null, 'null']], 1, delivery, head)).toBeUndefined();
    expect(writeCut([[1114, null, 'null']], [], delivery, head)).toBeUndefined();
    expect(writeWhole([[25, 'x', '"x"']], 1, delivery, head)).toBe(expectedOf([[25, 'x', '"x"']], 1, delivery));
  });
});

describe('P8 an empty result', () => {
  test.each([
    ['an array', ARRAY, ['0', null, null, null, null, null, 't'], '[]'],
    ['lines', LINES, [null, null, null, null], ''],
  ] as const)('is empty as %s, but a row of nulls is one', (_, delivery, head, expected) => {
    const cells: readonly Cell[] = [[25, null, 'null']];
    expect(writeWhole(cells, 1, delivery, head)).toBe(expected);
    expect(writeWhole(cells, 1, delivery)).toBe(expectedOf(cells, 1, delivery));
    // Only a long head makes the row of an empty result long.
    expect(writeCut(cells, [], delivery, head)).toBeUndefined();
  });
});

describe('P8 a row', () => {
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
