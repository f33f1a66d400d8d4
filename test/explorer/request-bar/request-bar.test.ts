// The pure parts of the request bar: syntax highlighting, normalization of typed text, and the position of errors.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlightUrl } from '../../../explorer/src/request-bar/highlight-url.ts';
import { findAnsweredProblem, findTypedProblem } from '../../../explorer/src/request-bar/find-problem.ts';
import { readTypedUrl } from '../../../explorer/src/request-bar/typed-url.ts';
import type { Exchange } from '../../../explorer/src/client/exchange.ts';

function colorsOf(url: string): string {
  return highlightUrl(url)
    .filter(({ kind }) => kind !== 'mark')
    .map(({ from, to, kind }) => `${kind} ${url.slice(from, to)}`)
    .join(', ');
}

test.each([
  ['/houses', 'path /houses'],
  ['/houses?limit=3', 'path /houses, keyword limit, number 3'],
  [
    '/h?select=a-b,x:s!inner(*,"c,d"),n::text,p.sum(),m->>k',
    'path /h, keyword select, name a-b, name x, name s, keyword inner, string "c,d", name n, constant text, name p, operator sum, name m, name k',
  ],
  ['/h?built=not.gte.1900', 'path /h, name built, operator not, operator gte, number 1900'],
  ['/h?state=in.(new,"a,b",3)', 'path /h, name state, operator in, string "a,b", number 3'],
  ['/h?a=like(any).{x,y}&b=is.null', 'path /h, name a, operator like(any), name b, operator is, constant null'],
  [
    '/h?s.not.or=(a.eq.1,not.and(b.is.null,c.not.fts.x))',
    'path /h, name s, keyword not, keyword or, name a, operator eq, number 1, keyword not.and, name b, operator is, constant null, name c, operator not, operator fts',
  ],
  ['/h?order=s(n).desc.nullslast,b', 'path /h, keyword order, name s, name n, keyword desc, keyword nullslast, name b'],
])('%s is highlighted as %s', (url, colors) => {
  expect(colorsOf(url)).toBe(colors);
});

test('highlighted parts of any text are in order and within it', () => {
  const pieces = [
    '/h',
    '?',
    '&',
    '=',
    'select=',
    'or=(',
    'eq.',
    'a',
    '"',
    '%22',
    '(',
    ')',
    ',',
    '.',
    '->',
    '-',
    '\\',
    'é',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 15 }), (parts) => {
      const url = parts.join('');
      let end = 0;
      for (const { from, to } of highlightUrl(url)) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        end = to;
      }
      expect(end).toBeLessThanOrEqual(url.length);
    }),
  );
});

test.each([
  ['/houses', '/houses'],
  ['  houses?limit=3 ', '/houses?limit=3'],
  ['GET /houses', '/houses'],
  ['http://localhost:3000/houses?a=eq.x y', '/houses?a=eq.x%20y'],
  ['/houses\n  ?limit=3\r\n&order=id', '/houses?limit=3&order=id'],
  ['/houses?a=eq.#1', '/houses?a=eq.%231'],
  ['/t?a-%3E%3Eb=eq.%C3%A9', '/t?a->>b=eq.é'],
  ['', ''],
  ['/', ''],
  ['http://localhost:3000', ''],
])('%j is normalized to %s', (typed, url) => {
  expect(readTypedUrl(typed)).toBe(url);
});

test('a parser error is reported while typing', () => {
  expect(findTypedProblem('/houses?limit=3', undefined)).toBeUndefined();
  expect(findTypedProblem('/houses?order=a.up', 'svc')).toMatchObject({
    message: '"failed to parse order (a.up)" (line 1, column 3)',
    range: { from: 16, to: 18 },
  });
});

function answer(url: string, status: number, body: unknown): Exchange {
  const request = { method: 'GET', url, headers: [], body: undefined } as const;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    kind: 'answered',
    request,
    response: { status, headers: [], text, content: new Blob([text]), bytes: text.length, milliseconds: 1 },
  };
}

test.each([
  ['/houses?select=buil', { message: 'column houses.buil does not exist' }, 'buil'],
  ['/house', { message: "Could not find the table 'api.house' in the schema cache" }, 'house'],
  [
    '/houses?select=*,street(*)',
    { message: "Could not find a relationship between 'houses' and 'street' in the schema cache" },
    'street',
  ],
  ['/houses?x=eq.1', { message: "Could not find the 'x' column of 'houses' in the schema cache" }, 'x'],
  ['/houses?id=eq.abc', { message: 'invalid input syntax for type integer: "abc"' }, 'abc'],
  ['/houses?a%20b=eq.1', { message: "no column 'a b'" }, 'a%20b'],
  ['/houses?order=a.up', { message: 'failed', details: 'unexpected "u"' }, 'up'],
])('for %s, the response %j marks %s', (url, body, marked) => {
  const problem = findAnsweredProblem(url, answer(url, 400, body));
  expect(problem?.message).toBeUndefined();
  expect(problem && url.slice(problem.range.from, problem.range.to)).toBe(marked);
});

test('other responses are not reported as errors of the URL', () => {
  const error = { message: 'x' };
  expect(findAnsweredProblem('/a', answer('/b', 400, error))).toBeUndefined();
  expect(findAnsweredProblem('/a', answer('/a', 200, error))).toBeUndefined();
  expect(findAnsweredProblem('/a', answer('/a', 502, '<html>'))).toBeUndefined();
  expect(findAnsweredProblem('/a', undefined)).toBeUndefined();
  expect(findAnsweredProblem('/a', answer('/a', 403, { message: 'permission denied for view x' }))).toBeUndefined();
});
