// The position of parser errors in a URL.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUrl } from '../../../explorer/src/url-state/parse-url.ts';

test.each([
  ['/houses?select=id,,name', 'select', ',name'],
  ['/houses?select=id&built=1900', 'built', '1900'],
  ['/houses?a=eq.1&built=greater.1900', 'built', 'greater.1900'],
  ['/houses?order=name.up', 'order', 'up'],
  ['/houses?streets.order=name,', 'streets.order', ','],
  ['/houses?or=(a.eq.1,b.xx.2)', 'or', ')'],
  ['/houses?not.and=(a.eq.1', 'not.and', '1'],
  ['/houses?a%20%C3%A9!x=eq.1', 'a é!x', '!x'],
  ['/houses?select=%C3%A9,%F0%9F%8F%A0', 'select', '%F0%9F%8F%A0'],
  ['/houses?columns=a,', 'columns', ','],
  ['/rpc/f?a=not.x', 'a', 'x'],
  ['/a/b?x=1', undefined, '/a/b'],
  ['/', undefined, '/'],
])('%s has an error in %s, from %s', (url, parameter, text) => {
  const parsed = parseUrl(url);
  if (parsed.ok) throw new Error('parses');
  expect([parsed.error.parameter, url.slice(parsed.error.from, parsed.error.to)]).toEqual([parameter, text]);
});

test('message and details come from the server', () => {
  expect(parseUrl('/houses?order=name.desc.up')).toEqual({
    ok: false,
    error: {
      message: '"failed to parse order (name.desc.up)" (line 1, column 11)',
      details: 'unexpected "u" expecting "nullsfirst" or "nullslast"',
      hint: undefined,
      parameter: 'order',
      from: 24,
      to: 26,
    },
  });
});

test('text after a value is ignored if the dialect ignores it', () => {
  const url = '/t?a=is.null!';
  expect([parseUrl(url).ok, parseUrl(url, 'svc').ok, parseUrl(url, 'postgrest').ok]).toEqual([false, false, true]);
});

test('the position is always within the text', () => {
  const pieces = [
    '/t?',
    'select=',
    'a',
    'é',
    '%20',
    '%ff',
    '+',
    '&',
    'or=(',
    ')',
    ',',
    '.',
    'eq.',
    'order=',
    '🏠',
    '"',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      const url = `/t?${parts.join('')}`;
      const parsed = parseUrl(url);
      if (parsed.ok) return;
      expect(parsed.error.from).toBeLessThanOrEqual(parsed.error.to);
      expect(parsed.error.to).toBeLessThanOrEqual(url.length);
    }),
    { numRuns: 500 },
  );
});
