// Splits output into lines.
import { expect, test } from 'vitest';
import { LineSplitter } from '../../src/workers/worker-process.ts';

test.each([
  [['one\ntwo\n'], ['one', 'two']],
  [
    ['on', 'e\nt', 'wo', '\n'],
    ['one', 'two'],
  ],
  [['one\n\n'], ['one', '']],
  [['cut o', 'ff'], ['cut off']],
  [[], []],
])('%j becomes %j', (pieces, lines) => {
  const written: string[] = [];
  const splitter = new LineSplitter((line) => written.push(line));
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  expect(written).toEqual(lines);
});
