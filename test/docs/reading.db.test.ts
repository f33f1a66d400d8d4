// Tests that the checks of the pages detect mistakes.
import { expect, test } from 'vitest';
import { matchHttp, matchJson, matchText } from './match-answer.ts';
import { readPage } from './read-page.ts';
import { parseScript } from './shell-words.ts';

test.each([
  ['[{"id":1}]', '[{"id":1}] \n', undefined],
  ['[{"id":1}]', '[ { "id": 1 } ]', 'it is [ { "id": 1 } ]'],
  ['[ {"id":1} ]', '[{"id":1}]', undefined],
  ['[ {"id":1} ]', '[{"id":2}]', '$.0.id is 2'],
  ['{"price":129}', '{"price":129.00}', '$.price is 129.00'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', '$ has b, not a'],
  ['{"a":1}', '{"a":1,"b":2}', '$ is {"a":1,"b":2}'],
  ['{"a":1,"…":"…"}', '{"a":1,"b":2,"c":3}', undefined],
  ['[1,"…"]', '[1,2,3]', undefined],
  ['[1,"…"]', '[2,1]', '$.0 is 2'],
  ['{"at":"2026-…"}', '{"at":"2025-01-01"}', '$.at is "2025-01-01"'],
  ['{"at":"…"}', '{"at":17}', undefined],
  ['[]', '{}', '$ is {}'],
  ['[]', '', 'no JSON: '],
  ['', '[]', 'no JSON: []'],
])('JSON %s, given %s: %s', (expected, actual, difference) => {
  expect(matchJson(expected, actual)).toBe(difference);
});

test('text must match completely, with … for anything', () => {
  expect(matchText('id,name\n1,…\n', 'id,name\r\n1,Saw\r\n')).toBeUndefined();
  expect(matchText('id,name', 'id,name\n1,Saw')).toBe('it is id,name\n1,Saw');
});

test('a response matches by status, displayed headers and body', () => {
  const answer = {
    status: 200,
    text: '[1]',
    headers: { 'content-range': '0-0/*', 'content-type': 'application/json' },
  };
  expect(matchHttp('HTTP/1.1 200 OK\nContent-Range: 0-0/*\n\n[1]\n', answer)).toBeUndefined();
  expect(matchHttp('HTTP/1.1 200 OK\n', answer)).toBeUndefined();
  expect(matchHttp('HTTP/1.1 206 Partial Content\n', answer)).toBe('HTTP/1.1 200 OK\n[1]');
  expect(matchHttp('HTTP/1.1 200 OK\nContent-Range: 0-0/1\n', answer)).toBe('Content-Range: 0-0/*');
  expect(matchHttp('HTTP/1.1 200 OK\nLocation: /a\n', answer)).toBe('Location: ');
  expect(matchHttp('HTTP/1.1 200 OK\n\n[2]\n', answer)).toBe('$.0 is 1');
});

test('blocks are read with their lines and notes, indented ones too', () => {
  expect(readPage('# A\n\n<!-- file: a.sql -->\n```sql\nselect 1;\n```\n\n   ```sh\n   curl x\n   ```\n')).toEqual([
    { language: 'sql', text: 'select 1;\n', line: 4, note: { kind: 'file', text: 'a.sql' } },
    { language: 'sh', text: 'curl x\n', line: 8, note: undefined },
  ]);
  expect(() => readPage('<!-- skip -->\n')).toThrow(
    'line 1: a comment that the test does not recognize: <!-- skip -->',
  );
});

test('shell words are split as a shell splits them', () => {
  const text = (word: string): object => ({ kind: 'text', text: word });
  const script = `curl -g 'a b' \\\n  "x: $T" # so\nA=$(node b) > c`;
  expect(parseScript(script)).toEqual([
    {
      words: [[text('curl')], [text('-g')], [text('a b')], [text('x: '), { kind: 'variable', name: 'T' }]],
      outputFile: undefined,
    },
    { words: [[text('A='), { kind: 'output', script: 'node b' }]], outputFile: [text('c')] },
  ]);
});

test.each(['curl http://a/b?c=d', 'curl a | jq', "curl 'a", 'curl a &', 'curl a[0]'])(
  'unsupported shell is rejected: %s',
  (script) => {
    expect(() => parseScript(script)).toThrow('the test does not read this shell');
  },
);
