// Valid and invalid bodies cut at every byte: rows, lines and error must equal those of the uncut body.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runSlices } from '../../../src/util/slices.ts';
import { CsvFramer } from '../../../src/extensions/ingest/csv-framer.ts';
import { NdjsonFramer } from '../../../src/extensions/ingest/ndjson-framer.ts';
import type { RowFramer } from '../../../src/extensions/ingest/row-framer.ts';

interface Outcome {
  readonly rows: readonly unknown[];
  readonly lines: readonly number[];
  readonly keys: readonly string[];
  readonly error: unknown;
}

const FORMATS: readonly (readonly [string, () => RowFramer, readonly string[]])[] = [
  [
    'NDJSON',
    () => new NdjsonFramer({ columns: undefined, maxJsonDepth: 4, hasHints: true }),
    [
      '{"a":1,"b":"é\\n"}',
      '{"b":[{}],"a":null}',
      '{"a":',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ' ',
      '\n',
      '\r\n',
      '\u0000',
    ],
  ],
  [
    'NDJSON with `columns`',
    () => new NdjsonFramer({ columns: ['b', 'a'], maxJsonDepth: 4, hasHints: false }),
    ['{"a":1}', '{"c":"é"}', '{}', '[[[[[]]]]]', '{"a":{"b":{"c":{"d":1}}}}', '"', '1', 'null', '\n', '\r', '\n\n'],
  ],
  [
    'CSV',
    () => new CsvFramer(),
    ['a,b\n', '1,2\n', '"x\n""y""",é\r\n', 'NULL,', '"', '""', ',', '\n', '\r\n', '\r', ' ', '\u0000', '\uFEFF'],
  ],
];

/** Frames the chunks as a reader does: bytes that one call leaves precede the next chunk. */
function frameAll(framer: RowFramer, chunks: readonly Uint8Array[]): Outcome {
  const rows: unknown[] = [];
  const lines: number[] = [];
  let rest: Uint8Array = new Uint8Array();
  for (const [index, chunk] of chunks.entries()) {
    rest = Buffer.concat([rest, chunk]);
    const isLast = index === chunks.length - 1;
    // Like the reader, continues until the rest contains no row.
    for (let isMore = true; isMore;) {
      const framed = runSlices(framer.frame(Uint8Array.from(rest), isLast));
      if (!framed.ok) return { rows: [], lines: [], keys: [], error: framed.error };
      const { batch, consumed } = framed.value;
      rows.push(...(JSON.parse(Buffer.concat(batch.objects(batch.count)).toString()) as unknown[]));
      lines.push(...Array.from({ length: batch.count }, (_, row) => batch.lineOf(row)));
      rest = rest.slice(consumed);
      isMore = batch.count > 0 && rest.length > 0;
    }
  }
  return { rows, lines, keys: framer.keys, error: undefined };
}

/** The first line that is no object goes on as one in the next line, with other keys. */
const KNOWN = Buffer.from('{"a":1,"b":"é"}\r\n{"a":\r\n{"a":1}}');

describe.each(FORMATS)('%s', (_, open, parts) => {
  const piece = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...parts).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)) },
  );
  const body = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.concat(pieces));

  test('B43 B44 two parts give the same result as the whole, wherever the cut is', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        const whole = frameAll(open(), [bytes]);
        for (let place = 0; place <= bytes.length; place += 1) {
          const cut = [bytes.subarray(0, place), bytes.subarray(place)];
          expect(frameAll(open(), cut), `cut at ${place}`).toEqual(whole);
        }
      }),
      { numRuns: 300, examples: [[KNOWN]] },
    );
  });

  test('B43 B44 single bytes give the same result as the whole', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        const single = Array.from({ length: Math.max(1, bytes.length) }, (__, at) => bytes.subarray(at, at + 1));
        expect(frameAll(open(), single)).toEqual(frameAll(open(), [bytes]));
      }),
      { numRuns: 300 },
    );
  });
});
