// The server URL of an OpenAPI 3.1 document, as derived from the request that reads it.
import { expect, test } from 'vitest';
import type { HeaderList, Mount } from '../../src/contract/http.ts';
import { findServerUrl } from '../../src/openapi/document/server-url.ts';

function urlFor(headers: HeaderList, mount?: Pick<Mount, 'basePath' | 'origin'>): string {
  const request =
    mount === undefined ? { headers } : { headers, mount: { isBare: false, session: undefined, ...mount } };
  return findServerUrl(request, undefined);
}

test.each(['localhost:3000', 'api.example.com', '127.0.0.1:80', '[::1]:3000', 'my_service', 'EXAMPLE.com.'])(
  'uses the requested host: %s',
  (host) => {
    expect(urlFor([['host', host]])).toBe(`http://${host}`);
  },
);

test.each([
  '',
  ' ',
  'a/b',
  'a b',
  'a"b',
  'a?b',
  'a#b',
  'user@host',
  'a\\b',
  '<b>',
  'a..b',
  '-a',
  '[::1',
  'a:b',
  'a:123456',
  'ü',
  'a%2fb',
  'a'.repeat(300),
])('does not use %j as a host', (host) => {
  expect(urlFor([['host', host]])).toBe('/');
  expect(urlFor([['host', host]], { basePath: '/api', origin: 'https://shop.example' })).toBe('/api');
});

test('uses only the path if the request has no host', () => {
  expect(urlFor([])).toBe('/');
  expect(urlFor([], { basePath: '/api', origin: 'http://' })).toBe('/api');
  expect(urlFor([], { basePath: '', origin: 'file:///etc' })).toBe('/');
  expect(urlFor([['host', 'shop.example']], { basePath: '/api', origin: 'https://' })).toBe('https://shop.example/api');
});

test('when mounted, uses scheme and host of the surrounding server and the mount path', () => {
  const url = (origin: string, basePath = '/api') => urlFor([], { basePath, origin });
  expect(url('https://shop.example:8443')).toBe('https://shop.example:8443/api');
  expect(url('http://localhost/api/?select=id')).toBe('http://localhost/api');
  expect(url('https://shop.example', '')).toBe('https://shop.example');
  // The surrounding server may know itself by a different name than clients do.
  expect(urlFor([['host', 'shop.example']], { basePath: '/api', origin: 'http://localhost:3000' })).toBe(
    'http://shop.example/api',
  );
});

test.each([
  ['https', 'https'],
  ['http', 'http'],
  ['HTTPS, http', 'https'],
  ['javascript', 'http'],
  ['', 'http'],
])('takes the scheme from the proxy: %j', (told, scheme) => {
  expect(
    urlFor([
      ['host', 'api.example.com'],
      ['x-forwarded-proto', told],
    ]),
  ).toBe(`${scheme}://api.example.com`);
});

test('prefers the configured URL', () => {
  const request = { headers: [['host', 'internal:3000']] } as const;
  expect(findServerUrl(request, 'https://api.port.example/v1')).toBe('https://api.port.example/v1');
});
