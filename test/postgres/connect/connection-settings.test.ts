import { describe, expect, test } from 'vitest';
import type { Result } from '../../../src/contract/result.ts';
import {
  resolveConnectionSettings,
  type ConnectionSettings,
} from '../../../src/postgres/connect/connection-settings.ts';
import { parseConnectionString } from '../../../src/postgres/connect/connection-string.ts';
import { valueOf } from '../support/connect-test.ts';

function resolve(text: string, environment: Record<string, string> = {}): Result<ConnectionSettings, string> {
  return resolveConnectionSettings(valueOf(parseConnectionString(text)), {
    environment,
    userName: 'system',
    defaultHost: '/run/pg',
    fallbackApplicationName: 'rowhouse 0.1',
  });
}

function hostsOf(text: string, environment: Record<string, string> = {}): readonly string[] {
  return valueOf(resolve(text, environment)).hosts.map(({ host, address, port }) => `${host} ${address} ${port}`);
}

describe('O171 hosts', () => {
  test.each([
    ['', ['/run/pg /run/pg 5432']],
    ['host=a', ['a a 5432']],
    ['host=a,b port=7', ['a a 7', 'b b 7']],
    ['host=a,,c port=1,,3', ['a a 1', '/run/pg /run/pg 5432', 'c c 3']],
    ['hostaddr=10.0.0.1,10.0.0.2', ['10.0.0.1 10.0.0.1 5432', '10.0.0.2 10.0.0.2 5432']],
    ['host=a hostaddr=10.0.0.1', ['a 10.0.0.1 5432']],
    ['postgresql://a:1,b/db', ['a a 1', 'b b 5432']],
  ])('%j', (text, expected) => {
    expect(hostsOf(text)).toStrictEqual(expected);
  });

  test('are taken from the environment if the string names none', () => {
    expect(hostsOf('', { PGHOST: 'a,b', PGPORT: '1,2' })).toStrictEqual(['a a 1', 'b b 2']);
    expect(hostsOf('host=c', { PGHOST: 'a,b', PGPORT: '1' })).toStrictEqual(['c c 1']);
    expect(hostsOf('postgresql://c', { PGHOSTADDR: '10.0.0.9', PGPORT: '9' })).toStrictEqual(['c 10.0.0.9 9']);
  });

  test.each([
    ['host=a,b port=1,2,3', '3 port numbers do not match 2 hosts'],
    ['host=a,b hostaddr=10.0.0.1', '2 host names do not match 1 hostaddr values'],
    ['port=0', 'invalid port number: "0"'],
    ['port=65536', 'invalid port number: "65536"'],
    ['port=x', 'invalid port number: "x"'],
  ])('%s is rejected', (text, error) => {
    expect(resolve(text)).toStrictEqual({ ok: false, error });
  });
});

describe('O169 parameters that the string omits', () => {
  test('are taken from the PG* variables, after those of the string', () => {
    const environment = {
      PGUSER: 'gate',
      PGDATABASE: 'harbor',
      PGPASSWORD: 'secret',
      PGPASSFILE: '/pass',
      PGOPTIONS: '-c a=b',
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: '/root.crt',
      PGSSLCERT: '/my.crt',
      PGSSLKEY: '/my.key',
      PGCONNECT_TIMEOUT: '7',
      PGTARGETSESSIONATTRS: 'read-only',
    };
    expect(valueOf(resolve('dbname=other', environment))).toMatchObject({
      user: 'gate',
      database: 'other',
      password: 'secret',
      passwordFile: '/pass',
      options: '-c a=b',
      connectTimeout: 7000,
      targetSession: 'read-only',
      tls: { mode: 'verify-full', rootCertificate: '/root.crt', certificate: '/my.crt', key: '/my.key' },
    });
  });

  test('have defaults', () => {
    expect(valueOf(resolve(''))).toMatchObject({
      user: 'system',
      database: 'system',
      password: undefined,
      options: undefined,
      connectTimeout: 60_000,
      hasKeepAlive: true,
      targetSession: 'any',
      areHostsShuffled: false,
      tls: { mode: 'prefer', negotiation: 'postgres' },
    });
    expect(valueOf(resolve('user=gate'))).toMatchObject({ database: 'gate' });
  });
});

describe('O170 application name', () => {
  test.each([
    ['', {}, 'rowhouse 0.1'],
    ['fallback_application_name=behind', {}, 'behind'],
    ['', { PGAPPNAME: 'ambient' }, 'ambient'],
    ['application_name=given', { PGAPPNAME: 'ambient' }, 'given'],
  ])('of %j with %j is %s', (text, environment, expected) => {
    expect(valueOf(resolve(text, environment)).applicationName).toBe(expected);
  });
});

describe('single parameters', () => {
  test.each([
    ['connect_timeout=0', 0],
    ['connect_timeout=-1', 0],
    ['connect_timeout=1', 2000],
    ['connect_timeout=10', 10_000],
  ])('%s waits %i milliseconds', (text, expected) => {
    expect(valueOf(resolve(text)).connectTimeout).toBe(expected);
  });

  test('keepalives and load balancing', () => {
    expect(valueOf(resolve('keepalives=0 keepalives_idle=30 load_balance_hosts=random'))).toMatchObject({
      hasKeepAlive: false,
      liveness: { intervalMs: 30_000, timeoutMs: 5000 },
      areHostsShuffled: true,
    });
  });

  test.each([
    ['', { intervalMs: 10_000, timeoutMs: 5000 }],
    ['keepalives_idle=0 tcp_user_timeout=0', { intervalMs: 10_000, timeoutMs: 5000 }],
    ['keepalives_idle=2 tcp_user_timeout=700', { intervalMs: 2000, timeoutMs: 700 }],
    ['keepalives_idle=9999999 tcp_user_timeout=9999999999', { intervalMs: 2 ** 31 - 1, timeoutMs: 2 ** 31 - 1 }],
  ])('liveness timeouts of "%s"', (text, liveness) => {
    expect(valueOf(resolve(text)).liveness).toStrictEqual(liveness);
  });

  test('TCP options', () => {
    const given = 'keepalives_interval=3 keepalives_count=4 tcp_user_timeout=700';
    expect(valueOf(resolve(given)).tuning).toStrictEqual({ keepAliveInterval: 3, keepAliveCount: 4, userTimeout: 700 });
    const nothing = { keepAliveInterval: undefined, keepAliveCount: undefined, userTimeout: undefined };
    expect(valueOf(resolve('keepalives_interval=0 keepalives_count=-1')).tuning).toStrictEqual(nothing);
    expect(valueOf(resolve('')).tuning).toStrictEqual(nothing);
  });

  test('sslrootcert=system enables the strictest check', () => {
    expect(valueOf(resolve('sslrootcert=system')).tls.mode).toBe('verify-full');
  });

  test.each([
    ['target_session_attrs=master', 'invalid target_session_attrs value: "master"'],
    ['sslmode=on', 'invalid sslmode value: "on"'],
    ['connect_timeout=soon', 'invalid integer value "soon" for connection option "connect_timeout"'],
    ['keepalives_count=x', 'invalid integer value "x" for connection option "keepalives_count"'],
    ['keepalives_interval=x', 'invalid integer value "x" for connection option "keepalives_interval"'],
    ['keepalives_idle=soon', 'invalid integer value "soon" for connection option "keepalives_idle"'],
    ['tcp_user_timeout=1s', 'invalid integer value "1s" for connection option "tcp_user_timeout"'],
    ['channel_binding=require', 'channel_binding=require is not supported'],
    ['gssencmode=require', 'gssencmode=require is not supported'],
  ])('%s is rejected', (text, error) => {
    expect(resolve(text)).toStrictEqual({ ok: false, error });
  });
});
