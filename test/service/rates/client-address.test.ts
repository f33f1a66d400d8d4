// The address that stands for a client, with and without proxies.
import { expect, test } from 'vitest';
import { findClientAddress, trustProxies } from '../../../src/extensions/rates/client-address.ts';

const PROXIES = [
  '127.0.0.1',
  '10.0.0.0/8',
  'fd00::/8',
  'unix',
  '300.1.1.1',
  '10.0.0.0/99',
  '::ffff:192.168.7.0/120',
  '::ffff:0:0/90',
];

test.each([
  // A client that is no proxy cannot choose its address.
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['::ffff:203.0.113.7', undefined, '203.0.113.7'],
  ['2001:DB8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['2001:db8::5', undefined, '2001:db8:0:0::/64'],
  ['::1', undefined, '0:0:0:0::/64'],
  ['fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['2001:0DB8:0:2::5', undefined, '2001:db8:0:2::/64'],
  ['::1:2:3:4:5:9.9.9.9', undefined, '0:1:2:3::/64'],
  // However an IPv4 address is written, it is one client.
  ['::FFFF:cb00:7107', undefined, '203.0.113.7'],
  ['127.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
  ['127.0.0.1', '::ffff:cb00:7107', '203.0.113.7'],
  ['127.0.0.1', '0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['127.0.0.1', '[::ffff:203.0.113.7]:4711', '203.0.113.7'],
  ['0:0:0:0:0:ffff:7f00:1', '198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '198.51.100.1, ::ffff:0a01:0203', '198.51.100.1'],
  ['192.168.7.1', '198.51.100.1', '198.51.100.1'],
  ['192.168.8.1', '198.51.100.1', '192.168.8.1'],
  // Proxies append the address that they see.
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:127.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '1.1.1.1, 198.51.100.1 ,10.1.2.3', '198.51.100.1'],
  ['127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['127.0.0.1', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  ['fd12::1', '198.51.100.1', '198.51.100.1'],
  [undefined, '198.51.100.1', '198.51.100.1'],
  // Nothing better is known.
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '10.9.9.9', '10.9.9.9'],
  ['127.0.0.1', 'unknown', 'unknown'],
  [undefined, undefined, 'unix'],
])('B84h from %s for %s counts as %s', (peer, forwarded, expected) => {
  const headers = forwarded === undefined ? [] : [['x-forwarded-for', forwarded] as const];
  expect(findClientAddress(peer, headers, trustProxies(PROXIES))).toBe(expected);
});

test('B84i without trusted proxies, nobody can name an address', () => {
  const headers = [['x-forwarded-for', '198.51.100.1'] as const];
  expect(findClientAddress('127.0.0.1', headers, trustProxies([]))).toBe('127.0.0.1');
  expect(findClientAddress(undefined, headers, trustProxies([]))).toBe('unix');
});
