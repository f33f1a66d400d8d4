// The dictionaries of the spell check: sorted, so that changes are easy to review and merge.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test.each(readdirSync('cspell'))('%s is sorted, in lower case and without duplicates', (name) => {
  const words = readFileSync(`cspell/${name}`, 'utf8').trimEnd().split('\n');
  expect(words).toEqual([...new Set(words.map((word) => word.toLowerCase()))].toSorted());
});
