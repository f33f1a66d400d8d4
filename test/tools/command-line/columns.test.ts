import { expect, test } from 'vitest';
import { renderParagraph, renderRows } from '../../../tools/command-line/columns.ts';

test('descriptions are wrapped beside short names and below long ones', () => {
  expect(
    renderRows([
      ['--short', 'one two three four five six seven eight nine ten eleven twelve'],
      ['--as-long-as-can-be-here', 'text'],
      ['--longer-than-its-column-is', 'text'],
    ]),
  ).toBe(`  --short                 one two three four five six seven eight nine ten
                          eleven twelve
  --as-long-as-can-be-here
                          text
  --longer-than-its-column-is
                          text
`);
});

test('a paragraph uses the full width', () => {
  expect(renderParagraph('word '.repeat(20).trim())).toBe(`${'word '.repeat(16).trim()}\nword word word word\n`);
});
