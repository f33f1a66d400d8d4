import { expect, test } from 'vitest';
import { splitScript, type ScriptPart } from '../../tools/console/split-script.ts';

function statements(script: string): readonly string[] {
  return splitScript(script).map((part) => (part.kind === 'statement' ? part.text : part.kind));
}

test.each<readonly [what: string, script: string, expected: readonly string[]]>([
  ['plain statements', 'select 1; select 2;', ['select 1', 'select 2']],
  ['no last semicolon', 'select 1;\nselect 2\n', ['select 1', 'select 2\n']],
  ['empty statements', ' ; ;; -- nothing\n', []],
  ['a string constant', `select 'a;b', 'it''s;'; select 2`, [`select 'a;b', 'it''s;'`, 'select 2']],
  ['a backslash in a plain string', `select '\\'; select 2`, [`select '\\'`, 'select 2']],
  [
    'an escape string',
    `select E'it\\'s;', E'it''s \\'; x'; select 2`,
    [`select E'it\\'s;', E'it''s \\'; x'`, 'select 2'],
  ],
  ['a word that ends with e before a string', `select type'\\'; select 2`, [`select type'\\'`, 'select 2']],
  ['a quoted name', 'select 1 as ";"; select 2', ['select 1 as ";"', 'select 2']],
  ['dollar quotes', 'do $x$ a; $y$ b; $$ c; $x$; select $1;', ['do $x$ a; $y$ b; $$ c; $x$', 'select $1']],
  ['comments', '-- a; b\nselect 1 /* ; /* ; */ ; */ ; select 2', ['select 1 /* ; /* ; */ ; */ ', 'select 2']],
  [
    'parentheses',
    'create rule r as on insert to t do also (select 1; select 2); select 3',
    ['create rule r as on insert to t do also (select 1; select 2)', 'select 3'],
  ],
  [
    'a routine with a body of statements',
    'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
    [
      'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end',
      'select 3',
    ],
  ],
  [
    'a routine with a comment in its head',
    'create/* or */function f() returns int begin atomic select 1; end; select 3',
    ['create/* or */function f() returns int begin atomic select 1; end', 'select 3'],
  ],
  ['transaction control', 'begin; select 1; end; select 2', ['begin', 'select 1', 'end', 'select 2']],
  ['unterminated quotes', `select 'a; select 2`, [`select 'a; select 2`]],
])('statements end where psql ends them: %s', (_, script, expected) => {
  expect(statements(script)).toEqual(expected);
});

test('each part has the line and the position of its first word', () => {
  const script = '-- one\n\nselect 1;\n/* four\n*/ select\n2;\n';
  expect(splitScript(script).map(({ line, start }) => [line, start])).toEqual([
    [3, 8],
    [5, 29],
  ]);
});

test('the data of COPY extends to its end marker', () => {
  const parts = splitScript('COPY public.t (a, b) FROM stdin;\n1\tx;y\n2\t\\N\n\\.\n\nselect 1;\n');
  expect(parts).toEqual([
    { kind: 'copy', text: 'COPY public.t (a, b) FROM stdin', line: 1, start: 0, data: '1\tx;y\n2\t\\N\n' },
    { kind: 'statement', text: 'select 1', line: 6, start: 48 },
  ] satisfies ScriptPart[]);
});

test('`\\c` is parsed, commands without effect on the database are skipped, others are unsupported', () => {
  const script = '\\restrict abc\n\\set ON_ERROR_STOP on\n\\c chinook;\n\\connect "my db"\n\\i other.sql\n\\c a b\n';
  expect(splitScript(script)).toEqual([
    { kind: 'connect', database: 'chinook', line: 3, start: 36 },
    { kind: 'unsupported', command: '\\connect', line: 4, start: 48 },
    { kind: 'unsupported', command: '\\i', line: 5, start: 65 },
    { kind: 'unsupported', command: '\\c', line: 6, start: 78 },
  ] satisfies ScriptPart[]);
});

test('each word costs the same, however long the head of its statement is', () => {
  const split = (blanks: number): number => {
    const start = performance.now();
    splitScript(`create${' '.repeat(blanks)}${'begin '.repeat(4000)}`);
    return performance.now() - start;
  };
  // The machine may interrupt some of the attempts.
  const shortest = (blanks: number): number => Math.min(...Array.from({ length: 5 }, () => split(blanks)));
  expect(shortest(100_000)).toBeLessThan(100 * shortest(0) + 50);
});
