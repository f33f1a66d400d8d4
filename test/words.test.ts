// Words that this repository does not use, and the usual terms that take their place: names, comments, tests and documents
// are read, compound names word by word. The specification is quoted as it is.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Word → what to write instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ...['patience', 'patiences', 'patiently'].map((word) => [word, 'timeout, with its unit'] as const),
  ...['farewell', 'farewells', 'goodbye'].map((word) => [word, 'close, Terminate message'] as const),
  ...['lender', 'lend', 'lends', 'lent'].map((word) => [word, 'provider, provide'] as const),
  ...['wish', 'wishes', 'wished'].map((word) => [word, 'options, preferences, request'] as const),
  ...['judge', 'judges', 'judged'].map((word) => [word, 'check, verify'] as const),
  ...['spoil', 'spoils', 'spoiled'].map((word) => [word, 'taint, damage'] as const),
  ['journey', 'request state'],
  ['fatality', 'fatal error'],
  ['brake', 'throttle'],
  ['standstill', 'idle time'],
  ['obeyer', 'handler'],
  ['discreetly', 'with visible names'],
  ['dice', 'seeded random numbers'],
  ['anew', 'again'],
  ['amid', 'during'],
  ['befalls', 'happens to'],
  ['heed', 'observe'],
]);

const FOLDERS = ['src', 'test', 'scripts', 'docs'];
const UNREAD = /^docs\/specification\/|^test\/words\.test\.ts$/u;

function listFiles(): readonly string[] {
  const inside = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  return [...inside.map((file) => file.split(path.sep).join('/')), ...readdirSync(ROOT)].filter(
    (file) => /\.(?:ts|js|md)$/u.test(file) && !UNREAD.test(file),
  );
}

/** `SessionLender` and `SESSION_LENDER` → session, lender. */
function wordsOf(text: string): readonly string[] {
  return (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/gu) ?? []).map((word) => word.toLowerCase());
}

function findCoinedWords(name: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) =>
    wordsOf(line)
      .filter((word) => INSTEAD.has(word))
      .map((word) => `${name}:${index + 1} ${word} → ${INSTEAD.get(word) ?? ''}`),
  );
}

test('names are read word by word', () => {
  const found = findCoinedWords('a.ts', 'const CLOSE_PATIENCE = 1;\nthis.#sessionLender; // a silent calendar');
  expect(found).toEqual(['a.ts:1 patience → timeout, with its unit', 'a.ts:2 lender → provider, provide']);
});

test('names, comments and documents use the usual terms', () => {
  const files = listFiles();
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.flatMap((file) =>
      findCoinedWords(`name of ${file}`, path.basename(file)).concat(
        findCoinedWords(file, readFileSync(path.join(ROOT, file), 'utf8')),
      ),
    ),
  ).toEqual([]);
});
