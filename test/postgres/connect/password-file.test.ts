import { expect, test } from 'vitest';
import { findPassword } from '../../../src/postgres/connect/local-defaults.ts';

const FILE = [
  '# harbor:5432:db:gate:commented',
  'too:few:fields',
  'harbor:5432:db:gate:first',
  'harbor:*:*:gate:any',
  'my\\:host:1:d\\\\b:u:pa\\:ss:with:colons',
  'localhost:5432:db:gate:socket',
  '/run/pg:5433:db:gate:folder',
].join('\r\n');

test.each([
  ['harbor', 5432, 'db', 'gate', 'first'],
  ['harbor', 5433, 'other', 'gate', 'any'],
  ['harbor', 5432, 'db', 'clerk', undefined],
  ['my:host', 1, 'd\\b', 'u', 'pa:ss:with:colons'],
  ['/var/run/postgresql', 5432, 'db', 'gate', 'socket'],
  ['/run/pg', 5433, 'db', 'gate', 'folder'],
])('the password for %s:%i/%s as %s is %s', (host, port, database, user, expected) => {
  expect(findPassword(FILE, { host, port, database, user })).toBe(expected);
});
