import { expect, test } from 'vitest';
import { StatementCache } from '../../src/postgres/statement-cache.ts';

test('a statement is known by text and search path, once it was added', () => {
  const cache = new StatementCache(10);
  expect(cache.find('a', 'select 1')).toBe(undefined);
  const name = cache.nextName('a', 'select 1');
  cache.add('a', 'select 1', name);
  expect(cache.find('a', 'select 1')).toBe(name);
  expect(cache.find('b', 'select 1')).toBe(undefined);
});

test('over its capacity the least recently used one is to be closed, once', () => {
  const cache = new StatementCache(2);
  cache.add('a', 'one', 's1');
  cache.add('b', 'two', 's2');
  cache.find('a', 'one');
  cache.add('a', 'three', 's3');
  expect(cache.takeClosing()).toStrictEqual(['s2']);
  expect(cache.takeClosing()).toStrictEqual([]);
  expect(cache.find('b', 'two')).toBe(undefined);
  expect(cache.find('a', 'one')).toBe('s1');
});

test('after a clearing everything is closed and names are new', () => {
  const cache = new StatementCache(2);
  const name = cache.nextName('a', 'one');
  cache.add('a', 'one', name);
  cache.clear();
  expect(cache.find('a', 'one')).toBe(undefined);
  expect(cache.takeClosing()).toStrictEqual([name]);
  expect(cache.nextName('a', 'one')).not.toBe(name);
});

test('different statements never share a name, on whichever connections', () => {
  const statements = [
    ['a', 'one'],
    ['a', 'two'],
    ['b', 'one'],
    ['', 'aone'],
  ] as const;
  const names = statements.map(([scope, text]) => new StatementCache(2).nextName(scope, text));
  expect(new Set(names).size).toBe(statements.length);
  // PostgreSQL cuts names of more than 63 bytes.
  expect(Math.max(...names.map((name) => name.length))).toBeLessThan(56);
});

test('a text prepared twice keeps the later name', () => {
  const cache = new StatementCache(2);
  cache.add('a', 'one', 's1');
  cache.add('a', 'one', 's2');
  expect(cache.find('a', 'one')).toBe('s2');
  expect(cache.takeClosing()).toStrictEqual(['s1']);
});
