// What is sent after rows have been read again, and what is kept for clients that reconnect.
import { describe, expect, test } from 'vitest';
import type { RowChange } from '../../src/contract/log-changes.ts';
import { findKeys, mayMatch } from '../../src/live/concerns.ts';
import { Dirt } from '../../src/live/dirt.ts';
import { EventRing, EventStore } from '../../src/live/event-ring.ts';
import { renderChange, renderRows } from '../../src/live/live-events.ts';
import { compareAll, compareTouched, renderKey } from '../../src/live/row-changes.ts';
import { hideClaims } from '../../src/live/watched-request.ts';

const before = new Map([
  ['["1"]', '{"id":1}'],
  ['["2"]', '{"id":2}'],
]);

test('B71 all rows that are new or different are upserted, and missing ones deleted', () => {
  const after = new Map([
    ['["2"]', '{"id":2,"a":1}'],
    ['["3"]', '{"id":3}'],
  ]);
  expect(compareAll(before, after)).toEqual({ upserted: ['{"id":2,"a":1}', '{"id":3}'], deleted: ['["1"]'] });
});

test('B72 of the touched keys, only those that were sent are deleted', () => {
  const found = new Map([['["2"]', '{"id":2}']]);
  expect(compareTouched(before, ['["1"]', '["2"]', '["9"]'], found)).toEqual({ upserted: [], deleted: ['["1"]'] });
});

test('B71b events contain rows as they are, and keys as JSON values', () => {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  expect(text(renderRows(['{"a":1}', '{"a":2}'], 'e-1'))).toBe(
    'event: rows\nid: e-1\ndata: [{"a":1}, \ndata:  {"a":2}]\n\n',
  );
  const key = [
    { name: 'id', type: 'bigint', kind: '', isNumber: true },
    { name: 'na"me', type: 'text', kind: '', isNumber: false },
  ];
  const difference = { upserted: [], deleted: [renderKey(['9007199254740993', 'x"y'])] };
  expect(text(renderChange(difference, key, 'e-2'))).toBe(
    'event: change\nid: e-2\ndata: {"upsert": [], "delete": [{"id": 9007199254740993, "na\\"me": "x\\"y"}]}\n\n',
  );
});

describe('changes of the log', () => {
  const columns = ['id', 'kind', 'note'];
  const change = (parts: Partial<RowChange>): RowChange => ({ columns, before: undefined, after: undefined, ...parts });

  test('B72c a change of the key touches both keys', () => {
    expect(findKeys(change({ before: ['1', null, null], after: ['2', 'a', 'x'] }), ['id'])).toEqual(['["1"]', '["2"]']);
    expect(findKeys(change({ before: [null, 'a', null] }), ['id'])).toBeUndefined();
    expect(findKeys(change({ after: ['2', 'a', undefined] }), ['note'])).toBeUndefined();
  });

  test('B72d only an equal value may match, or one that is not in the log', () => {
    const keyed = { key: [], equality: { column: 'kind', kind: 'text', value: 'a' } };
    expect(mayMatch(change({ after: ['1', 'a', null] }), keyed)).toBe(true);
    expect(mayMatch(change({ after: ['1', 'b', null] }), keyed)).toBe(false);
    expect(mayMatch(change({ after: ['1', null, null] }), keyed)).toBe(false);
    expect(mayMatch(change({ after: ['1', undefined, null] }), keyed)).toBe(true);
    expect(mayMatch(change({ after: ['1'], columns: ['id'] }), keyed)).toBe(true);
    expect(mayMatch(change({ before: ['1', 'a', null] }), keyed)).toBe(false);
  });

  test('B72e beyond a number of keys, all rows are read', () => {
    const dirt = new Dirt();
    dirt.addKeys(['a', 'b'], 0);
    expect(dirt.take()).toEqual({ kind: 'keys', keys: ['a', 'b'] });
    dirt.addKeys(
      Array.from({ length: 1001 }, (_, index) => String(index)),
      5000,
    );
    expect(dirt.take()).toEqual({ kind: 'all', mustPlan: false });
    expect(dirt.isClean).toBe(true);
  });
});

test('B75 the ring drops the oldest events of all groups first', () => {
  const store = new EventStore(() => 10);
  const [one, two] = [new EventRing(store, 'a'), new EventRing(store, 'b')];
  const add = (ring: EventRing, size: number): unknown => ring.add(() => new Uint8Array(size));
  add(one, 4);
  add(two, 4);
  add(one, 2);
  expect(one.id).toBe('a-2');
  expect(['a-0', 'a-1', 'a-2'].map((id) => one.since(id)?.length)).toEqual([2, 1, 0]);
  add(two, 1);
  expect(one.since('a-0')).toBeUndefined();
  expect([one.since('a-1')?.length, two.since('b-0')?.length]).toEqual([1, 2]);
  expect(['a-3', 'a-', 'a-x', 'b-1', ''].map((id) => one.since(id))).toEqual(Array(5).fill(undefined));
  two.clear();
  add(one, 8);
  expect(one.since('a-1')?.length).toBe(2);
});

test('B74 ignored claims are removed, and the others stay as they are', () => {
  const settings = { headers: [], ignoredClaims: ['jti', 'iat'] };
  expect(hideClaims('{"jti":"x","sub":"a, \\"b\\"","n":1e400, "iat":5}', settings)).toBe(
    '{"sub":"a, \\"b\\"","n":1e400}',
  );
});
