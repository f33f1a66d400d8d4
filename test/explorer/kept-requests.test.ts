// Kept requests: how many, which ones, and their file.
import { expect, test } from 'vitest';
import {
  isKeepable,
  isWrite,
  keep,
  type KeptRequest,
  LIMITS,
  merge,
  search,
} from '../../explorer/src/history/kept-request.ts';
import { parseRequests, printRequests } from '../../explorer/src/history/request-file.ts';

function request(url: string, more: Partial<KeptRequest> = {}): KeptRequest {
  return { method: 'GET', url, schema: undefined, view: 'table', name: undefined, at: 0, status: 200, ...more };
}

test('a repeated request moves to the top, and the number of recent requests is bounded', () => {
  const list = Array.from({ length: 500 }, (_, index) => request(`/t?id=eq.${index}`)).reduce(keep, []);
  expect(list).toHaveLength(LIMITS.recent);
  expect(keep(list, request('/t?id=eq.450'))[0]?.url).toBe('/t?id=eq.450');
  expect(keep(list, request('/t?id=eq.450'))).toHaveLength(LIMITS.recent);
});

test('saved requests stay when recent ones are dropped', () => {
  const saved = keep([], request('/saved', { name: 'Mine' }));
  const list = Array.from({ length: 500 }, (_, index) => request(`/t?id=eq.${index}`)).reduce(keep, saved);
  expect(list.at(-1)?.name).toBe('Mine');
});

test.each([
  ['/houses?limit=3', true],
  ['/rpc/login?user=a&password=b', false],
  ['/keys?api_key=eq.1', false],
  ['/t?access_token=eq.x', false],
  ['/t?note=eq.eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoieCJ9.abc', false],
  [`/t?a=eq.${'x'.repeat(5000)}`, false],
])('%s may be kept: %s', (url, expected) => {
  expect(isKeepable(url)).toBe(expected);
});

test('writes are kept, but neither dry runs nor requests of the explorer itself', () => {
  const write = { method: 'POST', url: '/houses', headers: [], body: '{}' } as const;
  expect([write, { ...write, method: 'GET' } as const, { ...write, url: '/explorer/sql' }].map(isWrite)).toEqual([
    true,
    false,
    false,
  ]);
  expect(isWrite({ ...write, headers: [['Prefer', 'return=minimal, tx=rollback']] })).toBe(false);
});

test('the search finds all words in name, method and URL', () => {
  const list = [request('/houses?built=lt.1900', { name: 'Old ones' }), request('/tools')];
  expect(search(list, 'OLD houses').map(({ url }) => url)).toEqual(['/houses?built=lt.1900']);
  expect(search(list, '')).toEqual(list);
});

test('a file is read back as it was written, and importing it again adds nothing', () => {
  const list = [
    request('/a', { at: Date.UTC(2026, 1, 2) }),
    request('/b?x=eq.ü', { name: 'B', schema: 'old', view: 'json', at: Date.UTC(2026, 1, 1), status: undefined }),
  ];
  expect(parseRequests(printRequests(list))).toEqual({ ok: true, value: list });
  expect(merge(list, list)).toEqual(list);
});

const HEAD = '"kind": "rowhouse-requests", "version": 1';
const VALID = '"method": "GET", "at": "2026-03-01T09:30:00Z"';

test.each([
  ['<html>', 'The file is not a JSON object.'],
  ['[]', 'The file is not a JSON object.'],
  ['{}', 'The file has no "kind": "rowhouse-requests". Choose a file exported here.'],
  ['{"kind": "rowhouse-requests", "version": 2}', 'The file must have "version": 1.'],
  [`{${HEAD}, "requests": {}}`, '"requests" must be a list.'],
  [`{${HEAD}, "requests": [${'1,'.repeat(300)}1]}`, '"requests" must have at most 300 members.'],
  [`{${HEAD}, "requests": [1]}`, 'requests[0] must be an object.'],
  [`{${HEAD}, "requests": [{${VALID}}]}`, 'requests[0].url must be the path of a request, such as "/houses".'],
  [
    `{${HEAD}, "requests": [{${VALID}, "url": "/../x"}]}`,
    'requests[0].url must be the path of a request, such as "/houses".',
  ],
  [
    `{${HEAD}, "requests": [{${VALID}, "url": "/a?token=eq.1"}]}`,
    'requests[0].url is too long or seems to contain a secret.',
  ],
  [
    `{${HEAD}, "requests": [{${VALID}, "url": "/a"}, {"method": "TRACE", "url": "/a"}]}`,
    'requests[1].method must be one of GET, HEAD, POST, PATCH, PUT, DELETE.',
  ],
  [
    `{${HEAD}, "requests": [{${VALID}, "url": "/a", "name": 3}]}`,
    'requests[0].name must be a text of at most 100 characters.',
  ],
  [`{${HEAD}, "requests": [{${VALID}, "url": "/a", "schema": 3}]}`, 'requests[0].schema must be a text.'],
  [
    `{${HEAD}, "requests": [{"method": "GET", "url": "/a", "at": "x"}]}`,
    'requests[0].at must be a time, such as "2026-03-01T09:30:00Z".',
  ],
])('%s is rejected', (text, error) => {
  expect(parseRequests(text)).toEqual({ ok: false, error });
});
