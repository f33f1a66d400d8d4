import { expect, test } from 'vitest';
import {
  StatementCache,
  type StatementLimits,
  type StatementScope,
} from '../../../src/postgres/session/statement-cache.ts';

const LIMITS: StatementLimits = { statements: 10, characters: 1000, longest: 100 };

function cacheOf(limits: Partial<StatementLimits> = {}): StatementCache {
  return new StatementCache({ ...LIMITS, ...limits });
}

/** Prepares the texts in order. */
function prepare(cache: StatementCache, scope: StatementScope, texts: readonly string[]): void {
  for (const text of texts) cache.add(scope, text, `name of ${text}`);
}

test('a statement is found by text, role and search path once it has been added', () => {
  const cache = cacheOf();
  const scope = cache.scopeOf('captain', 'a');
  expect(cache.find(scope, 'select 1')).toBe(undefined);
  const name = cache.nextName(scope, 'select 1') ?? '';
  cache.add(scope, 'select 1', name);
  expect(cache.find(cache.scopeOf('captain', 'a'), 'select 1')).toBe(name);
  expect(cache.find(cache.scopeOf('captain', 'b'), 'select 1')).toBe(undefined);
  expect(cache.find(cache.scopeOf('sailor', 'a'), 'select 1')).toBe(undefined);
  expect(cache.find(cache.shared, 'select 1')).toBe(undefined);
});

test('above the number limit the least recently used statement is closed, once', () => {
  const cache = cacheOf({ statements: 2 });
  prepare(cache, cache.scopeOf('captain', 'a'), ['one']);
  prepare(cache, cache.scopeOf('sailor', 'a'), ['two']);
  cache.find(cache.scopeOf('captain', 'a'), 'one');
  prepare(cache, cache.scopeOf('captain', 'a'), ['three']);
  expect(cache.takeClosing()).toStrictEqual(['name of two']);
  expect(cache.takeClosing()).toStrictEqual([]);
  expect(cache.find(cache.scopeOf('sailor', 'a'), 'two')).toBe(undefined);
  expect(cache.find(cache.scopeOf('captain', 'a'), 'one')).toBe('name of one');
});

test('above the length limit as many statements are closed as necessary', () => {
  const cache = cacheOf({ characters: 10 });
  prepare(cache, cache.shared, ['aaaa', 'bbbb', 'cc']);
  expect(cache.takeClosing()).toStrictEqual([]);
  prepare(cache, cache.shared, ['ddddd']);
  expect(cache.takeClosing()).toStrictEqual(['name of aaaa', 'name of bbbb']);
  expect(cache.find(cache.shared, 'cc')).toBe('name of cc');
});

test('a text that is too long stays unnamed, however often it is requested', () => {
  const cache = cacheOf({ longest: 5 });
  expect(cache.nextName(cache.shared, '12345')).toBeDefined();
  for (let time = 0; time < 3; time += 1) expect(cache.nextName(cache.shared, '123456')).toBe(undefined);
});

test('in a full cache a statement is named when the same role requests it again', () => {
  const cache = cacheOf({ statements: 1 });
  prepare(cache, cache.shared, ['settings']);
  expect(cache.nextName(cache.scopeOf('captain', 'a'), 'one')).toBe(undefined);
  expect(cache.nextName(cache.scopeOf('sailor', 'a'), 'one')).toBe(undefined);
  expect(cache.nextName(cache.scopeOf('captain', 'a'), 'two')).toBe(undefined);
  expect(cache.nextName(cache.scopeOf('captain', 'a'), 'one')).toBeDefined();
});

test('thousands of roles that appear once each displace nothing', () => {
  const cache = cacheOf({ statements: 2 });
  prepare(cache, cache.shared, ['settings', 'read']);
  for (let role = 0; role < 5000; role += 1) {
    expect(cache.nextName(cache.scopeOf(`tenant ${role}`, 'a'), 'read')).toBe(undefined);
  }
  expect(cache.takeClosing()).toStrictEqual([]);
});

test('clear closes all statements, changes names and frees the cache', () => {
  const cache = cacheOf({ statements: 2 });
  const scope = cache.scopeOf('captain', 'a');
  const name = cache.nextName(scope, 'one') ?? '';
  cache.add(scope, 'one', name);
  prepare(cache, cache.shared, ['settings']);
  cache.clear();
  expect(cache.find(cache.scopeOf('captain', 'a'), 'one')).toBe(undefined);
  expect(cache.find(cache.shared, 'settings')).toBe(undefined);
  expect(cache.takeClosing()).toStrictEqual([name, 'name of settings']);
  expect(cache.nextName(scope, 'one')).toMatch(/^s2_/u);
});

test('different statements never share a name, on any connection', () => {
  const statements = [
    ['captain', 'a', 'one'],
    ['captain', 'a', 'two'],
    ['captain', 'b', 'one'],
    ['sailor', 'a', 'one'],
    ['', 'captain', 'aone'],
    ['captaina', '', 'one'],
  ] as const;
  const names = statements.map(([role, searchPath, text]) => {
    const cache = cacheOf();
    return cache.nextName(cache.scopeOf(role, searchPath), text) ?? '';
  });
  expect(new Set(names).size).toBe(statements.length);
  // PostgreSQL truncates names of more than 63 bytes.
  expect(Math.max(...names.map((name) => name.length))).toBeLessThan(56);
});

test('texts of different roles differ for poolers that identify statements by text', () => {
  const texts = ['captain', 'sailor'].map((role) => {
    const cache = cacheOf();
    const scope = cache.scopeOf(role, 'a');
    return cache.textFor(scope, 'select 1', cache.nextName(scope, 'select 1') ?? '');
  });
  expect(new Set(texts).size).toBe(2);
  for (const text of texts) expect(text).toMatch(/^select 1 \/\*[\w-]{12}\*\/$/u);
});

test('a text prepared twice keeps the later name', () => {
  const cache = cacheOf({ statements: 2 });
  const scope = cache.scopeOf('captain', 'a');
  cache.add(scope, 'one', 's1');
  cache.add(scope, 'one', 's2');
  expect(cache.find(cache.scopeOf('captain', 'a'), 'one')).toBe('s2');
  expect(cache.takeClosing()).toStrictEqual(['s1']);
});

test('a statement that could not be prepared is forgotten without being closed', () => {
  const cache = cacheOf();
  const scope = cache.scopeOf('captain', 'a');
  cache.add(scope, 'one', 's1');
  cache.withdraw(scope, 'one', 's1');
  expect(cache.find(cache.scopeOf('captain', 'a'), 'one')).toBe(undefined);
  expect(cache.takeClosing()).toStrictEqual([]);
});

test('a statement that was prepared again in the meantime is kept', () => {
  const cache = cacheOf();
  const scope = cache.scopeOf('captain', 'a');
  cache.add(scope, 'one', 's1');
  cache.clear();
  cache.add(scope, 'one', 's2');
  cache.withdraw(scope, 'one', 's1');
  expect(cache.find(cache.scopeOf('captain', 'a'), 'one')).toBe('s2');
});

test('clear changes the generation', () => {
  const cache = cacheOf();
  const before = cache.generation;
  prepare(cache, cache.scopeOf('captain', 'a'), ['one']);
  expect(cache.generation).toBe(before);
  cache.clear();
  expect(cache.generation).not.toBe(before);
});
