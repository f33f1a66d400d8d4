import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRawRequest, renderRawResponse } from '../../src/http/exchange/refused-packet.ts';
import { parseTarget } from '../../src/http/receive/read-head.ts';

const parse = (text: string): unknown => parseRawRequest(Buffer.from(text))?.request;

test('a head with an unknown method is parsed like any other', () => {
  expect(parse('BREW /a%20b?x=?y HTTP/1.1\r\nHost: x\r\nX-A:  süß \r\n\r\nbody')).toEqual({
    method: 'BREW',
    path: '/a%20b',
    rawQuery: 'x=?y',
    headers: [
      ['host', 'x'],
      ['x-a', 'süß'],
    ],
    body: new Uint8Array(),
  });
});

test.each([
  'BREW / HTTP/1.1\r\nHost: x',
  'BREW /\r\n\r\n',
  'BR EW / HTTP/1.1\r\n\r\n',
  ' BREW / HTTP/1.1\r\n\r\n',
  'BREW / HTTP/1.1\r\n folded: x\r\n\r\n',
  'BREW / HTTP/1.1\r\nHost : x\r\n\r\n',
])('%j is not a valid head', (text) => {
  expect(parse(text)).toBeUndefined();
});

test('any bytes are parsed or rejected without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(() => parseRawRequest(bytes)).not.toThrow();
    }),
  );
});

test('a rendered response contains its length and ends the connection', () => {
  const answer = renderRawResponse({ status: 405, headers: [['X-A', 'ü']], body: Buffer.from('{}') }, 'Not Allowed');
  expect(answer.toString()).toBe(
    'HTTP/1.1 405 Not Allowed\r\nX-A: ü\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  );
});

test.each([
  ['/a?b', '/a', 'b'],
  ['/a', '/a', ''],
  ['http://h:1/a?b=http://c', '/a', 'b=http://c'],
  ['http://h', '/', ''],
  ['http://h?q', '/', 'q'],
  ['*', '/*', ''],
])('the target %s', (text, path, rawQuery) => {
  expect(parseTarget(text)).toEqual({ path, rawQuery });
});
