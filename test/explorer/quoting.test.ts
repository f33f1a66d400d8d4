// The quotes of "Copy as", which `copy.db.test.ts` tries in real shells and languages.
import { expect, test } from 'vitest';
import { quoteJavaScript, quotePython, quoteShell, renderKey } from '../../explorer/src/copy/quoting.ts';

const ODD = String.raw`it's "two" \ $HOME`;

test('a text is quoted for shells and languages', () => {
  expect(quoteShell(ODD)).toBe(String.raw`'it'\''s "two" \ $HOME'`);
  expect(quoteJavaScript(ODD)).toBe(String.raw`'it\'s "two" \\ $HOME'`);
  expect(quotePython(ODD)).toBe(String.raw`"it's \"two\" \\ $HOME"`);
});

test('a property name is quoted unless it is a plain word', () => {
  expect(['Accept', 'Accept-Profile', '__proto__', "it's"].map(renderKey)).toEqual([
    'Accept',
    "'Accept-Profile'",
    "'__proto__'",
    String.raw`'it\'s'`,
  ]);
});
