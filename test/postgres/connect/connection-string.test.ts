import { describe, expect, test } from 'vitest';
import { parseConnectionString } from '../../../src/postgres/connect/connection-string.ts';

function parse(text: string): Record<string, string> | string {
  const parsed = parseConnectionString(text);
  return parsed.ok ? Object.fromEntries(parsed.value) : parsed.error;
}

describe('O169 URIs', () => {
  test.each<[string, Record<string, string>]>([
    ['postgresql://', {}],
    ['postgres://harbor.port', { host: 'harbor.port' }],
    ['postgresql://gate@h:5433/harbor', { user: 'gate', host: 'h', port: '5433', dbname: 'harbor' }],
    [
      'postgresql://gate:p?w@h/db?sslmode=require',
      { user: 'gate', password: 'p?w', host: 'h', dbname: 'db', sslmode: 'require' },
    ],
    ['postgresql://g%40te:%2F%3a%C3%A4@h', { user: 'g@te', password: '/:ä', host: 'h' }],
    ['postgresql://gate:@h', { user: 'gate', host: 'h' }],
    ['postgresql://h?user=gate&password=a+b%26c', { host: 'h', user: 'gate', password: 'a+b&c' }],
    ['postgresql:///db?host=/run/pg&port=1', { dbname: 'db', host: '/run/pg', port: '1' }],
    ['postgresql://%2Frun%2Fpg/db', { host: '/run/pg', dbname: 'db' }],
    ['postgresql://[::1]:5433,[fe80::2]/db', { host: '::1,fe80::2', port: '5433,', dbname: 'db' }],
    ['postgresql://a:1,b:2/db', { host: 'a,b', port: '1,2', dbname: 'db' }],
    ['postgresql://a,b?port=7', { host: 'a,b', port: '7' }],
    ['postgresql://h/db?ssl=true', { host: 'h', dbname: 'db', sslmode: 'require' }],
    ['postgresql://h/my%20db', { host: 'h', dbname: 'my db' }],
    ['postgresql://h:1/my@db', { host: 'h', port: '1', dbname: 'my@db' }],
    ['postgresql://?target_session_attrs=any&target_session_attrs=standby', { target_session_attrs: 'standby' }],
  ])('%s', (text, expected) => {
    expect(parse(text)).toStrictEqual(expected);
  });

  test.each([
    ['postgresql://h?password', 'missing "=" in the query of the connection URI'],
    ['postgresql://u:secret%zz@h', 'invalid percent-encoding of "password" in the connection URI'],
    ['postgresql://h?password=secret%zz', 'invalid percent-encoding of "password" in the connection URI'],
    ['postgresql://h/a%00b', 'invalid percent-encoding of "dbname" in the connection URI'],
    ['postgresql://[::1', 'a host of the connection URI has brackets that do not enclose an IPv6 address'],
    ['postgresql://h?pool_size=3', 'invalid connection option "pool_size"'],
    ['postgress://u:secret@h/db', 'a connection URI begins with postgres://, not with postgress://'],
    ['postgres:u:secret@h/db', 'a connection URI begins with postgres://, not with postgres:'],
    ['Postgres://u:secret@h/db', 'a connection URI begins with postgres://, not with Postgres://'],
    ['"postgres://u:secret@h/db"', 'a connection URI begins with postgres://, not with "postgres://'],
    ['u:secret@h/db', 'a connection URI begins with postgres://, not with u:'],
    ['postgres://u:sec@ret@h/db', 'the password in the connection URI contains "@", which must be written as %40'],
    ['postgres://u:sec/ret@h/db', 'the password in the connection URI contains "/", which must be written as %2F'],
    ['postgres://u:secret', 'the port in the connection URI is not a number'],
    ['postgres://[::1]:secret/db', 'the port in the connection URI is not a number'],
  ])('%s is rejected without revealing a secret', (text, fault) => {
    expect(parse(text)).toBe(fault);
  });
});

describe('O169 key=value pairs', () => {
  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['host=a port=5433 dbname=harbor', { host: 'a', port: '5433', dbname: 'harbor' }],
    [`\n host = a\tport= '5433' `, { host: 'a', port: '5433' }],
    [`password='it\\'s \\\\ here' user=gate`, { password: `it's \\ here`, user: 'gate' }],
    [`password=a\\ b`, { password: 'a b' }],
    [`dbname=''`, { dbname: '' }],
    ['host=a,b port=1,2', { host: 'a,b', port: '1,2' }],
    ['target_session_attrs=any target_session_attrs=primary', { target_session_attrs: 'primary' }],
    ['password=postgresql://x', { password: 'postgresql://x' }],
  ])('%j', (text, expected) => {
    expect(parse(text)).toStrictEqual(expected);
  });

  test.each([
    ['host', 'missing "=" after an option of the connection string'],
    ['password=my secret', 'missing "=" after an option of the connection string'],
    [`password='open`, 'unterminated quoted string in the connection string'],
    ['hosts=a', 'invalid connection option "hosts"'],
  ])('%s is rejected without revealing a secret', (text, fault) => {
    expect(parse(text)).toBe(fault);
  });
});
