// The shape of requests: which parts it contains and which values are abstracted.
import { expect, test } from 'vitest';
import { RecentMap } from '../../src/util/recent-map.ts';
import { shapeOf } from '../../src/prepare/request-shape.ts';
import { toRequest } from '../support/request-stages.ts';

function shape(line: string, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof shapeOf> {
  return shapeOf(toRequest(line, headers));
}

test('comparison values are abstracted', () => {
  expect(shape('GET /boats?id=eq.7&price=not.gte.1.50&select=id,name')).toEqual({
    key: 'GET /boats?id=eq.~0~&price=not.gte.~1~&select=id,name',
    rawQuery: 'id=eq.~0~&price=not.gte.~1~&select=id,name',
    values: ['7', '1.50'],
  });
  expect(shape('GET /boats?id=eq.8&price=not.gte.2&select=id,name')?.key).toBe(
    'GET /boats?id=eq.~0~&price=not.gte.~1~&select=id,name',
  );
});

test.each([
  ['a list', 'id=in.(1,2)'],
  ['a keyword', 'id=is.null'],
  ['a pattern', 'name=like.a*'],
  ['an escaped value', 'name=eq.a%20b'],
  ['nothing', 'name=eq.'],
  ['a window', 'limit=5&offset=10'],
  ['a tree', 'or=(id.eq.1,id.eq.2)'],
  ['a name alone', 'id'],
])('%s is not abstracted', (_, query) => {
  expect(shape(`GET /boats?${query}`)).toEqual({ key: `GET /boats?${query}`, rawQuery: query, values: [] });
});

test('function arguments are abstracted, keywords are not', () => {
  expect(shape('GET /rpc/add?a=19&b=23&limit=5&x.order=id&or=1&note=a.b')).toMatchObject({
    rawQuery: 'a=~0~&b=~1~&limit=5&x.order=id&or=1&note=a.b',
    values: ['19', '23'],
  });
  expect(shape('GET /add?a=19')).toMatchObject({ rawQuery: 'a=19', values: [] });
});

test('shapes differ by method, path and relevant headers', () => {
  const all = [
    shape('GET /boats?id=eq.1'),
    shape('HEAD /boats?id=eq.1'),
    shape('DELETE /boats?id=eq.1'),
    shape('GET /crews?id=eq.1'),
    shape('GET /boats?id=eq.1', { Accept: 'text/csv' }),
    shape('GET /boats?id=eq.1', { Prefer: 'count=exact' }),
    shape('GET /boats?id=eq.1', { Range: '0-1' }),
    shape('GET /boats?id=eq.1', { 'Accept-Profile': 'other' }),
  ];
  expect(new Set(all.map((each) => each?.key)).size).toBe(all.length);
  expect(shape('GET /boats?id=eq.1', { 'User-Agent': 'a', Authorization: 'b' })).toEqual(shape('GET /boats?id=eq.1'));
});

test.each([
  ['another method', 'OPTIONS /boats', {}],
  ['text that looks like a stand-in', 'GET /boats?name=eq.~0~', {}],
  ['an escaped stand-in', 'GET /boats?name=eq.%7e0%7E', {}],
  ['a path that contains a stand-in', 'GET /~0~?id=eq.1', {}],
  ['a long URL', `GET /boats?select=${'a'.repeat(2050)}`, {}],
  ['a long header', 'GET /boats', { Prefer: 'x'.repeat(4090) }],
  ['a form', 'POST /rpc/add', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['raw bytes', 'POST /rpc/add', { 'Content-Type': 'application/octet-stream' }],
])('%s has no shape', (_, line, headers) => {
  expect(shape(line, headers)).toBeUndefined();
});

test('RecentMap drops entries that are not used and keeps those that are', () => {
  const map = new RecentMap<number, string>({ entries: 10, size: 1000, sizeOf: () => 1 });
  for (let key = 0; key < 1000; key += 1) {
    map.set(key, String(key));
    expect(map.get(0)).toBe('0');
  }
  expect(map.get(999)).toBe('999');
  expect(map.get(500)).toBeUndefined();
});

test('RecentMap keeps fewer large entries', () => {
  const map = new RecentMap<number, string>({ entries: 100, size: 50, sizeOf: ({ length }) => length });
  const kept = (): number => Array.from({ length: 1000 }, (_, key) => map.get(key)).filter(Boolean).length;
  for (let key = 0; key < 1000; key += 1) map.set(key, 'x'.repeat(10));
  expect(kept()).toBeLessThanOrEqual(10);
  expect(kept()).toBeGreaterThanOrEqual(5);
});
