// Headers that a connection repeats are read once.
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { headerTextsOf } from '../../src/contract/http.ts';
import { readHead } from '../../src/http/receive/read-head.ts';

function incoming(...rawHeaders: readonly string[]): IncomingMessage {
  return { method: 'GET', url: '/boats?id=eq.1', rawHeaders } as unknown as IncomingMessage;
}

test('the same headers are the same list, with what was derived from it', () => {
  const connection = { headers: undefined };
  const first = readHead(incoming('Host', 'x', 'Accept', '*/*'), connection);
  const second = readHead(incoming('Host', 'x', 'Accept', '*/*'), connection);
  const third = readHead(incoming('Host', 'x', 'Accept', '*/*'), connection);
  expect(second.headers).toBe(first.headers);
  expect(headerTextsOf(second)).toEqual({ list: first.headers });
  expect(headerTextsOf(third)).toBe(headerTextsOf(second));
});

test.each([
  [['Host', 'x', 'Accept', 'text/csv']],
  [['Host', 'x']],
  [['Host', 'x', 'Accept', '*/*', 'Prefer', 'count=exact']],
  [['host', 'x', 'Accept', '*/*']],
])('other headers (%j) are read again', (others) => {
  const connection = { headers: undefined };
  readHead(incoming('Host', 'x', 'Accept', '*/*'), connection);
  const { headers, headerTexts } = readHead(incoming(...others), connection);
  expect(headers.flat()).toEqual(others.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text)));
  expect(headerTexts).toBeUndefined();
});

test('nothing is kept of long headers, for other connections, or for a request with other headers', () => {
  const long = ['Host', 'x', 'Cookie', 'a'.repeat(3000)];
  const connection = { headers: undefined };
  readHead(incoming(...long), connection);
  expect(readHead(incoming(...long), connection).headerTexts).toBeUndefined();
  expect(readHead(incoming('Host', 'x')).headerTexts).toBeUndefined();
  readHead(incoming('Host', 'x'), connection);
  const known = readHead(incoming('Host', 'x'), connection);
  expect(headerTextsOf({ ...known, headers: [...known.headers, ['a', 'b']] })).toBeUndefined();
});
