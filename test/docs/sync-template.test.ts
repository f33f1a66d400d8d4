// The code that docs/sync.md shows of a template is in the template.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readPage } from './read-page.ts';
import { readMarkdown } from './read-pages.ts';

const SHOWN = readPage(readMarkdown('docs/sync.md')).flatMap(({ note, text }) => {
  const [, file] = /^(\S+) of the template$/u.exec(note?.text ?? '') ?? [];
  return file === undefined ? [] : [{ file, text }];
});

test('B100 the code that the page shows is that of the template', () => {
  expect(SHOWN).toHaveLength(6);
  for (const { file, text } of SHOWN)
    for (const part of text.trimEnd().split('\n\n'))
      expect(readFileSync(`templates/tasks-live/${file}`, 'utf8')).toContain(part);
});
