// Rows as lines of CSV, which quote the characters that PostgreSQL quotes in composite values.
import { expect, test } from 'vitest';
import { addCsvLine } from '../../../src/postgres/results/csv-line.ts';
import { LineBuffer } from '../../../src/postgres/results/line-buffer.ts';
import { NULL } from '../../../src/postgres/wire/read-message.ts';

function render(...values: readonly (string | null)[]): string {
  const pieces: Uint8Array[] = [];
  const lines = new LineBuffer((piece) => pieces.push(piece));
  const source = Buffer.from(values.join(''));
  let end = 0;
  const bounds = values.flatMap((value) => [value === null ? NULL : end, (end += value?.length ?? 0)]);
  addCsvLine(lines, source, bounds, 0);
  lines.flush();
  return Buffer.concat(pieces).toString();
}

test('W231 values are quoted if they are empty or contain a delimiter, a quote, a parenthesis or white space', () => {
  const codes = Array.from({ length: 127 }, (_, index) => index + 1);
  const quoted = codes.filter((code) => render(String.fromCharCode(code)).startsWith('"'));
  expect(String.fromCharCode(...quoted)).toBe('\t\n\v\f\r "(),\\');
  expect(render('', null, 'a"b\\', 'c')).toBe('"",,"a""b\\\\",c');
});
