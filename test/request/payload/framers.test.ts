// Bodies cut anywhere yield the same rows as uncut ones.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ArrivingBody, BodyStep } from '../../../src/contract/http.ts';
import type { Result } from '../../../src/contract/result.ts';
import { runSlices } from '../../../src/util/slices.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { CsvFramer } from '../../../src/extensions/ingest/csv-framer.ts';
import { NdjsonFramer } from '../../../src/extensions/ingest/ndjson-framer.ts';
import { parseCsvRows } from '../../../src/request/payload/parse-csv-rows.ts';
import type { RowBatch, RowForm } from '../../../src/request/payload/row-batch.ts';
import type { RowFramer } from '../../../src/extensions/ingest/row-framer.ts';
import { openRows } from '../../../src/extensions/ingest/row-reader.ts';

const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString();
const ndjson = (columns?: readonly string[]): RowFramer =>
  new NdjsonFramer({ columns, maxJsonDepth: 512, hasHints: true });

/** Frames each chunk together with the bytes that the previous one left. */
function frameAll(
  framer: RowFramer,
  chunks: readonly Uint8Array[],
  form?: RowForm,
): Result<readonly RowBatch[], ApiError> {
  const batches: RowBatch[] = [];
  let rest: Uint8Array = new Uint8Array();
  for (const [index, chunk] of chunks.entries()) {
    rest = Uint8Array.from([...rest, ...chunk]);
    const framed = runSlices(framer.frame(rest, index === chunks.length - 1, form));
    if (!framed.ok) return framed;
    batches.push(framed.value.batch);
    rest = rest.slice(framed.value.consumed);
  }
  expect(rest).toHaveLength(0);
  return { ok: true, value: batches };
}

function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((one, other) => one - other);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function rowsOf(batches: readonly RowBatch[]): readonly unknown[] {
  return batches.flatMap((batch) => JSON.parse(textOf(batch.objects(batch.count))) as unknown[]);
}

function linesOf({ count, lineOf }: RowBatch): readonly number[] {
  return Array.from({ length: count }, (_, row) => lineOf(row));
}

/** Returns the elements of a PostgreSQL array in text form. */
function elementsOf(pieces: readonly Uint8Array[]): readonly (string | null)[] {
  const text = textOf(pieces);
  expect(text).toMatch(/^\{.*\}$/su);
  const elements = text.slice(1, -1).matchAll(/(?:^|,)(?:(NULL)|"((?:[^"\\]|\\["\\])*)")/gsu);
  const found = [...elements];
  expect(found.map(([element]) => element).join('')).toBe(text.slice(1, -1));
  return found.map(([, none, value]) => (none === undefined ? (value ?? '').replaceAll(/\\(.)/gsu, '$1') : null));
}

/** Returns the rows of batches in the form of columns. */
function rowsOfColumns(batches: readonly RowBatch[], keys: readonly string[]): readonly unknown[] {
  return batches.flatMap(({ count, columns }) => {
    if (columns === undefined) throw new Error('there are no columns');
    const values = columns.map(elementsOf);
    return Array.from({ length: count }, (_, row) =>
      Object.fromEntries(keys.map((key, index) => [key, values[index]?.[row]])),
    );
  });
}

describe('NDJSON', () => {
  const row = fc.record({ id: fc.integer(), text: fc.string({ unit: 'grapheme' }), list: fc.array(fc.boolean()) });
  const blank = fc.constantFrom('', '\n', ' \r\n', '\n\n');

  test('B43 a cut anywhere leaves rows and line numbers unchanged', () => {
    const body = fc.array(fc.tuple(row, blank), { maxLength: 30 });
    fc.assert(
      fc.property(body, fc.array(fc.nat(), { maxLength: 10 }), (rows, places) => {
        const lines = rows.map(([value, after]) => `${JSON.stringify(value)}\n${after}`);
        const framed = frameAll(ndjson(), cut(Buffer.from(lines.join('')), places));
        if (!framed.ok) throw new Error(JSON.stringify(framed.error));
        expect(rowsOf(framed.value)).toEqual(rows.map(([value]) => JSON.parse(JSON.stringify(value)) as unknown));
        const starts = lines.map((_, index) => lines.slice(0, index).join('').split('\n').length);
        expect(framed.value.flatMap(linesOf)).toEqual(starts);
      }),
    );
  });

  test('B44 the first rows of a batch can be taken separately', () => {
    const framed = frameAll(ndjson(), [Buffer.from('{"a":1}\n\n {"a":2} \n{"a":3}')]);
    const [batch] = framed.ok ? framed.value : [];
    if (batch === undefined) throw new Error('there is no batch');
    expect([0, 1, 2, 3].map((count) => JSON.parse(textOf(batch?.objects(count) ?? [])) as unknown)).toEqual([
      [],
      [{ a: 1 }],
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { a: 2 }, { a: 3 }],
    ]);
  });

  test('B43 the keys are those of the first line', () => {
    const framer = ndjson();
    frameAll(framer, [Buffer.from('{"b":1,"a":{"c":2}}\n{"a":1,"b":2}\n')]);
    expect(framer.keys).toEqual(['a', 'b']);
  });

  test('B43 `columns` are the keys, whatever keys the lines contain', () => {
    const framer = ndjson(['b', 'a']);
    const framed = frameAll(framer, [Buffer.from('{"c":1}\n{}\n')]);
    expect([framed.ok, framer.keys]).toEqual([true, ['a', 'b']]);
  });
});

describe('CSV', () => {
  const field = fc.oneof(
    fc.constantFrom('', 'NULL', '"NULL"', '""', 'é', 'a b'),
    fc.array(fc.constantFrom('x', ',', '\n', '\r\n', '""'), { maxLength: 6 }).map((parts) => `"${parts.join('')}"`),
  );
  const records = fc.array(fc.tuple(field, field, fc.constantFrom('\n', '\r\n', '\n\n')), {
    minLength: 1,
    maxLength: 20,
  });

  test('B43 a cut anywhere leaves the rows unchanged', () => {
    fc.assert(
      fc.property(records, fc.array(fc.nat(), { maxLength: 10 }), (rows, places) => {
        const body = Buffer.from(`"a",b\n${rows.map(([one, other, end]) => `${one},${other}${end}`).join('')}`);
        const whole = runSlices(parseCsvRows(body));
        if (!whole.ok) throw new Error(whole.error);
        const framer = new CsvFramer();
        const framed = frameAll(framer, cut(body, places));
        if (!framed.ok) throw new Error(JSON.stringify(framed.error));
        expect(rowsOf(framed.value)).toEqual(JSON.parse(textOf(whole.value.bytes)));
        expect(framer.keys).toEqual(whole.value.keys);
      }),
    );
  });

  test('B43 columns contain the same values on the same lines, and objects on request', () => {
    const escaped = fc.oneof(field, fc.constantFrom('\\', 'a\\"'.replace('"', ''), '"\\"""', '"{},"', ' NULL', '🚤'));
    const rows = fc.array(fc.tuple(escaped, escaped, fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.array(fc.nat(), { maxLength: 10 }), fc.nat(20), (records, places, taken) => {
        const body = Buffer.from(`b,a\n0,0\n${records.map(([one, other, end]) => `${one},${other}${end}`).join('')}`);
        const framer = new CsvFramer();
        // The first batch determines that there are two columns.
        const first = frameAll(framer, [body.subarray(0, 8), new Uint8Array()], 'objects');
        const framed = first.ok ? frameAll(framer, cut(body.subarray(8), places), 'columns') : first;
        const whole = frameAll(new CsvFramer(), [body]);
        if (!framed.ok || !whole.ok) throw new Error(JSON.stringify([framed, whole]));
        const expected = rowsOf(whole.value).slice(1);
        expect(rowsOfColumns(framed.value, framer.keys)).toEqual(expected);
        expect(rowsOf(framed.value)).toEqual(expected);
        expect(framed.value.flatMap(linesOf)).toEqual(whole.value.flatMap(linesOf).slice(1));
        const batch = framed.value.find(({ count }) => count >= taken);
        if (batch !== undefined)
          expect(JSON.parse(textOf(batch.objects(taken)))).toEqual(rowsOf([batch]).slice(0, taken));
      }),
    );
  });

  test.each([
    ['two columns share a name', 'a,a\n', '1,2\n'],
    ['a value has a zero byte', 'a,b\n', '1,\0\n'],
  ])('B43 if %s, the batch has objects only', (_, header, row) => {
    const framer = new CsvFramer();
    const framed = frameAll(framer, [Buffer.from(`${header}1,2\n`), Buffer.from(row)], 'columns');
    if (!framed.ok) throw new Error(JSON.stringify(framed.error));
    expect(framed.value.map(({ columns }) => columns)).toEqual([undefined, undefined]);
    expect(rowsOf(framed.value)).toHaveLength(2);
  });

  test('B44 reports a surplus field and its content the same for columns and objects', () => {
    const faultOf = (form: RowForm, row: string): unknown => {
      const framer = new CsvFramer();
      frameAll(framer, [Buffer.from('a,b\n1\n'), new Uint8Array()]);
      return frameAll(framer, [Buffer.from(row, 'latin1')], form);
    };
    for (const row of ['x,y\n', 'x,\xff\n', 'x,y,z\n', '\xff\n'])
      expect(faultOf('columns', row), row).toEqual(faultOf('objects', row));
  });

  test('B44 reports a misplaced quote at once, with its line', () => {
    const framer = new CsvFramer();
    const framed = runSlices(framer.frame(Buffer.from('a,b\n"1\n",2\n3,x"y\n5,6\n7'), false));
    expect(framed).toEqual({
      ok: false,
      error: {
        kind: 'invalidBody',
        message: 'Line 4: A field of the CSV contains a quote and is not quoted',
        place: undefined,
      },
    });
  });

  test.each([
    ['a,b', 'Line 1: The header line of the CSV does not end'],
    ['', 'Line 1: CSV has no header line'],
    ['a,b\n1,"2\n', 'Line 2: A quoted field of the CSV does not end'],
  ])('B44 rejects %j', (text, message) => {
    expect(frameAll(new CsvFramer(), [Buffer.from(text)])).toMatchObject({ ok: false, error: { message } });
  });
});

describe('B43 the reader', () => {
  const limits = { maxBodySize: 1_000_000, bodyTimeout: 60 };
  const pause = (): Promise<void> => Promise.resolve();

  function bodyOf(chunks: readonly string[]): ArrivingBody & { readonly asked: () => number } {
    let asked = 0;
    return {
      next: (): Promise<BodyStep> => {
        const chunk = chunks[asked++];
        return Promise.resolve(chunk === undefined ? { kind: 'end' } : { kind: 'bytes', bytes: Buffer.from(chunk) });
      },
      asked: () => asked,
    };
  }

  test('requests no more than one batch at a time', async () => {
    const line = `{"a":"${'x'.repeat(1000)}"}\n`;
    const chunks = Array.from({ length: 100 }, () => line.repeat(30));
    const body = bodyOf(chunks);
    const rows = await openRows(body, ndjson(), { limits, pause });
    if (!rows.ok) throw new Error('there are no rows');
    const askedAtFirst = body.asked();
    let count = rows.value.first.count;
    for (;;) {
      const next = await rows.value.next('objects');
      if (!next.ok || next.value === undefined) break;
      count += next.value.count;
    }
    expect(askedAtFirst).toBeLessThan(8);
    expect([count, rows.value.isComplete]).toEqual([3000, true]);
  });

  test('leaves the bytes of a batch intact when the next one is read', async () => {
    const rows = await openRows(bodyOf([`{"a":"${'x'.repeat(200_000)}"}\n{"a":"b`, '"}\n']), ndjson(), {
      limits,
      pause,
    });
    if (!rows.ok) throw new Error('there are no rows');
    const before = textOf(rows.value.first.objects(1));
    const next = await rows.value.next('objects');
    expect(next.ok && next.value && textOf(next.value.objects(1))).toBe('[{"a":"b"}]');
    expect(textOf(rows.value.first.objects(1))).toBe(before);
  });

  test.each([
    ['cut', 'invalidBody'],
    ['tooSlow', 'limitExceeded'],
  ] as const)('B44 a body that ends with %s yields no rows', async (kind, error) => {
    const steps: readonly BodyStep[] = [{ kind: 'bytes', bytes: Buffer.from('{"a":1}\n{"a"') }, { kind }];
    let asked = 0;
    const body = { next: () => Promise.resolve(steps[asked++] ?? { kind }) };
    expect(await openRows(body, ndjson(), { limits, pause })).toMatchObject({ ok: false, error: { kind: error } });
  });

  test('B44 rejects a row that is too long', async () => {
    const chunks = Array.from({ length: 40 }, (_, index) => (index === 0 ? '{"a":"' : 'x'.repeat(60_000)));
    const rows = await openRows(bodyOf(chunks), ndjson(), { limits, pause });
    expect(rows).toMatchObject({ ok: false, error: { kind: 'limitExceeded', status: 413 } });
  });

  test('reuses memory, but not buffers that have grown', async () => {
    const wide = 30;
    const header = Array.from({ length: wide }, (_, at) => `c${at}`).join(',');
    // A different column is long in each batch.
    const batch = (long: number): string =>
      `${Array.from({ length: wide }, (_, at) => (at === long ? 'x'.repeat(8000) : '')).join(',')}\n`.repeat(16);
    const body = bodyOf([`${header}\n`, ...Array.from({ length: 90 }, (_, index) => batch(index % wide))]);
    const rows = await openRows(body, new CsvFramer(), { limits, pause });
    if (!rows.ok) throw new Error('there are no rows');
    const buffers: Set<ArrayBufferLike> = new Set();
    let largest = 0;
    for (;;) {
      const next = await rows.value.next('columns');
      if (!next.ok || next.value === undefined) break;
      const memory = new Set((next.value.columns ?? []).flatMap((pieces) => pieces.map(({ buffer }) => buffer)));
      largest = Math.max(
        largest,
        [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0),
      );
      for (const each of memory) buffers.add(each);
      next.value.release?.();
    }
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(1_000_000);
    expect(buffers.size).toBeLessThan(90 * wide);
  });
});
