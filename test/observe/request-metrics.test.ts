// What is recorded of requests besides metrics: the slowest per route, and errors by code. Everything is bounded and
// contains no values.
import { expect, test } from 'vitest';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { RecentErrors } from '../../src/observe/recent-errors.ts';
import { listQueryNames, RequestMetrics } from '../../src/observe/request-metrics.ts';

const CACHE = {
  relations: new Map([['api', new Map([['houses', {}]])]]),
  routines: new Map(),
} as unknown as SchemaCache;

function record(
  metrics: RequestMetrics,
  target: string,
  { milliseconds = 1, status = 200, at = 0 }: { milliseconds?: number; status?: number; at?: number } = {},
): void {
  const [path = '', rawQuery = ''] = target.split('?');
  metrics.record({
    request: { method: 'GET', path, rawQuery },
    status,
    milliseconds,
    at,
    code: undefined,
    cache: CACHE,
  });
}

function slowestOf(metrics: RequestMetrics): readonly (readonly [string, string, number])[] {
  return metrics.series.map(({ route, slowest }) => [route, slowest.queryNames, slowest.milliseconds]);
}

test('the slowest request of a route is kept, with the names of its parameters', () => {
  const metrics = new RequestMetrics();
  record(metrics, '/houses?select=a', { milliseconds: 5 });
  record(metrics, '/houses?street_id=eq.7&limit=3', { milliseconds: 9 });
  record(metrics, '/houses?order=a', { milliseconds: 8 });
  expect(slowestOf(metrics)).toEqual([['/houses', 'street_id&limit', 9]]);
});

test('after ten minutes, a faster request replaces the slowest one', () => {
  const metrics = new RequestMetrics();
  record(metrics, '/houses?a=eq.1', { milliseconds: 9, at: 0 });
  record(metrics, '/houses?b=eq.1', { milliseconds: 2, at: 600_000 });
  expect(slowestOf(metrics)).toEqual([['/houses', 'a', 9]]);
  record(metrics, '/houses?c=eq.1', { milliseconds: 1, at: 600_001 });
  expect(slowestOf(metrics)).toEqual([['/houses', 'c', 1]]);
});

test('text made up by clients is not kept', () => {
  const metrics = new RequestMetrics();
  record(metrics, '/secret-7?token=1', { milliseconds: 9 });
  record(metrics, '/houses?eyJhbGciOi=1', { milliseconds: 9, status: 400 });
  expect(slowestOf(metrics)).toEqual([
    ['/houses', '', -1],
    ['other', '', -1],
  ]);
});

test.each([
  ['', ''],
  ['select=*&id=eq.1&id=lt.9', 'select&id'],
  ['eyJhbGciOi&limit=1', 'limit'],
  ['=x', ''],
  ['data-%3E%3Ekey=eq.1&data->other->>x=eq.2', 'data'],
  ['%E6%9D%B1=eq.1', '東'],
  ['%zz=eq.1', '%zz'],
  [`${'x'.repeat(100)}=eq.1`, 'x'.repeat(63)],
])('the names in %j are %j', (query, names) => {
  expect(listQueryNames(query)).toBe(names);
});

test('names are bounded', () => {
  const names = Array.from({ length: 100 }, (_, index) => `c${index}`);
  const listed = listQueryNames(names.map((name) => `${name}=eq.1`).join('&')).split('&');
  expect(listed).toEqual([...names.slice(0, 16), '…']);
  expect(listQueryNames(`${'x=1&'.repeat(1000)}late=eq.1`)).toBe('x');
});

test('errors are counted by code, latest first, up to 50 codes', () => {
  const errors = new RecentErrors();
  const last = { status: 400, at: 7, method: 'GET', route: '/houses' };
  for (let index = 0; index < 60; index += 1) errors.record(`C${index}`, { ...last, at: index });
  errors.record('C20', { ...last, status: 409, at: 99 });
  expect(errors.list).toHaveLength(50);
  expect(errors.list.slice(0, 2)).toEqual([
    { ...last, code: 'C20', status: 409, at: 99, count: 2 },
    { ...last, code: 'C59', at: 59, count: 1 },
  ]);
  expect(errors.list.at(-1)?.code).toBe('C10');
  errors.record('x'.repeat(1000), { ...last, at: 100 });
  expect(errors.list[0]?.code).toBe('x'.repeat(40));
});
