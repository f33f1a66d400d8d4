// What is sent after rows have been read again, and what is kept for clients that reconnect.
import { constants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { RowChange } from '../../src/extensions/live/log/log-changes.ts';
import { findKeys, mayMatch } from '../../src/extensions/live/events/concerns.ts';
import { StaleRows } from '../../src/extensions/live/events/stale-rows.ts';
import { EventRing, EventStore } from '../../src/extensions/live/events/event-ring.ts';
import { type EncodedEvent, renderEvent } from '../../src/extensions/live/events/event-text.ts';
import {
  addReadId,
  type LiveEvent,
  renderChange,
  renderRows,
  RESET,
} from '../../src/extensions/live/events/live-events.ts';
import { LiveMemory } from '../../src/extensions/live/events/live-memory.ts';
import { renderKey, type RowsDifference } from '../../src/extensions/live/events/row-changes.ts';
import { type RunningHash, SentRows } from '../../src/extensions/live/events/sent-rows.ts';
import { hideClaims } from '../../src/extensions/live/events/watched-request.ts';
import { joinBytes } from '../../src/util/join-bytes.ts';
import { runSlices, type Slices } from '../../src/util/slices.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (event: EncodedEvent): string => new TextDecoder().decode(joinBytes(event.pieces));
const line = (id: number, row: string): Uint8Array => bytes(`["${id}"]\n${row}`);
const place = (id: string): { id: string; position: undefined } => ({ id, position: undefined });
const hash = (): RunningHash => {
  const running = createHash('sha256');
  return { update: (part) => running.update(part), digest: () => running.digest('base64') };
};

function sentRows(...lines: readonly Uint8Array[]): SentRows {
  const sent = new SentRows(hash);
  runSlices(sent.replace({ kind: 'keyed', lines }));
  return sent;
}

function readable(difference: RowsDifference | 'all' | 'same'): unknown {
  if (typeof difference === 'string') return difference;
  return { ...difference, upserted: difference.upserted.map((row) => new TextDecoder().decode(row)) };
}

test('B71 all rows that are new or different are upserted, and missing ones deleted', () => {
  const sent = sentRows(line(1, '{"id":1}'), line(2, '{"id":2}'));
  const lines = [line(2, '{"id":2,"a":1}'), line(3, '{"id":3}')];
  const difference = runSlices(sent.replace({ kind: 'keyed', lines }));
  expect(readable(difference)).toEqual({ upserted: ['{"id":2,"a":1}', '{"id":3}'], deleted: ['["1"]'] });
  expect([...sent.keys]).toEqual(['["2"]', '["3"]']);
});

test('B72 of the touched keys, only those that were sent are deleted', () => {
  const sent = sentRows(line(1, '{"id":1}'), line(2, '{"id":2}'));
  const difference = runSlices(sent.change(['["1"]', '["2"]', '["9"]'], [line(2, '{"id":2}')]));
  expect(readable(difference)).toEqual({ upserted: [], deleted: ['["1"]'] });
  expect(sent.bytes).toBe(sentRows(line(2, '{}')).bytes);
});

test('B73 a whole result is compared by its hash', () => {
  const sent = new SentRows(hash);
  const read = (body: string): unknown => runSlices(sent.replace({ kind: 'whole', body: bytes(body) }));
  expect([read('[]'), read('[]'), read('[1]')]).toEqual(['all', 'same', 'all']);
  expect(runSlices(sent.replace({ kind: 'keyed', lines: [] }))).toBe('all');
});

test('B89f events of a list contain the id of their read before the shared bytes', () => {
  const lines = [line(1, '{"a":1}'), line(2, '{"a":2}')];
  const rows = runSlices(renderRows({ kind: 'keyed', lines }, place('e-1')));
  const own = addReadId(rows, 'to "do"\n');
  expect(text(own)).toBe(
    'event: rows\ndata: {"id":"to \\"do\\"\\n","eventId":"e-1","rows":[{"a":1}, \ndata:  {"a":2}]}\n\n',
  );
  expect(own.byteLength).toBe(text(own).length);
  expect(own.shared).toBe(rows);
  const [, data] = own.pieces;
  expect(data?.buffer).toBe(rows.pieces[0]?.buffer);
  const key = [{ name: 'id', type: 'integer', kind: 'integer', isNumber: true }];
  const change = runSlices(renderChange({ upserted: [bytes('{"a":1}')], deleted: ['["2"]'] }, key, place('e-2')));
  expect(text(addReadId(change, 'a'))).toBe(
    'event: change\ndata: {"id":"a","eventId":"e-2","upsert": [{"a":1}], "delete": [{"id": 2}]}\n\n',
  );
  expect(text(addReadId(RESET, 'a'))).toBe('event: reset\ndata: {"id":"a"}\n\n');
});

test('B89g the bytes that lists share count once', () => {
  const memory = new LiveMemory(
    () => Infinity,
    () => false,
  );
  const rows = runSlices(renderRows({ kind: 'whole', body: bytes(`["${'x'.repeat(200_000)}"]`) }, place('e-1')));
  const [one, two] = [addReadId(rows, 'a'), addReadId(rows, 'b')];
  memory.hold(one);
  memory.hold(two);
  memory.hold(rows);
  expect(memory.bytes).toBe(rows.byteLength + 2 * (one.byteLength - rows.byteLength));
  memory.release(one);
  memory.release(rows);
  expect(memory.bytes).toBe(two.byteLength);
  memory.release(two);
  expect(memory.bytes).toBe(0);
});

test('B71b events contain rows as they are, and keys as JSON values', () => {
  const read = { kind: 'keyed', lines: [line(1, '{"a":1}'), line(2, '{"a":2}')] } as const;
  expect(text(runSlices(renderRows(read, place('e-1'))))).toBe(
    'event: rows\nid: e-1\ndata: [{"a":1}, \ndata:  {"a":2}]\n\n',
  );
  const key = [
    { name: 'id', type: 'bigint', kind: '', isNumber: true },
    { name: 'na"me', type: 'text', kind: '', isNumber: false },
  ];
  const difference = { upserted: [], deleted: [renderKey(['9007199254740993', 'x"y'])] };
  expect(text(runSlices(renderChange(difference, key, place('e-2'))))).toBe(
    'event: change\nid: e-2\ndata: {"upsert": [], "delete": [{"id": 9007199254740993, "na\\"me": "x\\"y"}]}\n\n',
  );
});

test('B71h each kind of line break becomes one of the event, wherever pieces end', () => {
  const body = 'x'.repeat(65_535);
  for (const data of ['a\rb\nc\r\nd', '\r\n', '', `${body}\r\ny\n`, `${body}x\ny`, `${body}\r`, '\n\r\n\r']) {
    const event = renderEvent({ name: 'n', id: undefined, data });
    const lines = data.split(/\r\n|\r|\n/u).map((one) => `data: ${one}\n`);
    expect(text(event)).toBe(`event: n\n${lines.join('')}\n`);
    expect(event.byteLength).toBe(text(event).length);
  }
});

test('B78k a row that is longer than any string is compared and rendered, in pieces', { timeout: 60_000 }, () => {
  const long = Buffer.alloc(constants.MAX_STRING_LENGTH + 10, 'x');
  long.write('["1"]\n"');
  const sent = sentRows(line(1, '"x"'));
  const change = sent.change(['["1"]'], [long]);
  const [difference, slices] = countSlices(change);
  expect(slices).toBeGreaterThan(long.length / 131_073);
  expect(difference.upserted[0]?.length).toBe(long.length - 6);
  const [event, pieces] = countSlices(renderChange(difference, [], place('e-1')));
  expect(pieces).toBeGreaterThan(long.length / 131_073);
  expect(event.byteLength).toBe(
    long.length - 6 + 'event: change\nid: e-1\ndata: {"upsert": [], "delete": []}\n\n'.length,
  );
  expect(Math.max(...event.pieces.map(({ length }) => length))).toBeLessThanOrEqual(2 * 65_536);
});

function countSlices<T>(slices: Slices<T>): readonly [result: T, count: number] {
  for (let count = 1; ; count += 1) {
    const step = slices.next();
    if (step.done === true) return [step.value, count];
  }
}

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
    const stale = new StaleRows();
    stale.addKeys(['a', 'b'], 0);
    expect(stale.take()).toEqual({ kind: 'keys', keys: ['a', 'b'] });
    stale.addKeys(
      Array.from({ length: 1001 }, (_, index) => String(index)),
      5000,
    );
    expect(stale.take()).toEqual({ kind: 'all', mustPlan: false });
    expect(stale.isEmpty).toBe(true);
  });
});

describe('events for clients that reconnect', () => {
  const memory = (): LiveMemory =>
    new LiveMemory(
      () => Infinity,
      () => false,
    );
  const event = (size: number): LiveEvent => ({
    name: 'change',
    id: '1',
    position: undefined,
    dataStart: 0,
    pieces: [],
    byteLength: size,
  });
  const sign = (group: string) => (number: number) => `${group}${number % 7}`;

  test('B75 the ring drops the oldest events of all groups first', () => {
    const shared = memory();
    const store = new EventStore(() => 10, shared);
    const [one, two] = [new EventRing(store, sign('a')), new EventRing(store, sign('b'))];
    one.add(event(4));
    two.add(event(4));
    one.add(event(2));
    expect([one.id, one.nextId]).toEqual(['a2-2', 'a3-3']);
    expect(['a0-0', 'a1-1', 'a2-2'].map((id) => one.since(id)?.length)).toEqual([2, 1, 0]);
    two.add(event(1));
    expect(one.since('a0-0')).toBeUndefined();
    expect([one.since('a1-1')?.length, two.since('b0-0')?.length]).toEqual([1, 2]);
    two.forget();
    one.add(event(8));
    expect(one.since('a1-1')?.length).toBe(2);
    expect(shared.bytes).toBe(10);
  });

  test('B75d an id that was not given to the group is not known', () => {
    const ring = new EventRing(new EventStore(() => 10, memory()), sign('a'));
    ring.add(event(1));
    ring.add(event(1));
    expect(ring.since('a1-1')?.length).toBe(1);
    for (const id of [
      'a0-1',
      'b1-1',
      '1',
      '-1',
      'a1-01',
      'a1-1.0',
      'a1-1 ',
      'a3-3',
      'a6--1',
      'a-',
      'a1',
      'a0-x',
      'a0-',
      '',
    ])
      expect([id, ring.since(id)]).toEqual([id, undefined]);
  });

  test('B75e what may have become invisible is forgotten, and all rows replace what came before', () => {
    const ring = new EventRing(new EventStore(() => 10, memory()), sign('a'));
    ring.add(event(1));
    ring.add(event(1));
    ring.forget();
    ring.add(event(1));
    expect(['a0-0', 'a1-1', 'a2-2'].map((id) => ring.since(id)?.length)).toEqual([undefined, undefined, 1]);
    ring.addWhole(event(1));
    ring.addWhole(event(1));
    expect(['a1-1', 'a2-2', 'a5-5'].map((id) => ring.since(id)?.length)).toEqual([undefined, 1, 0]);
  });

  test('B78l an event that several hold counts once, and others give up what they can', () => {
    const idle = [3, 4];
    const shared = new LiveMemory(
      () => 10,
      () => {
        const given = idle.pop();
        if (given !== undefined) others.resize(idle.reduce((sum, size) => sum + size, 0));
        return given !== undefined;
      },
    );
    const others = shared.share();
    others.resize(7);
    const long = event(3);
    shared.hold(long);
    shared.hold(long);
    shared.release(long);
    expect(shared.bytes).toBe(10);
    const own = shared.share();
    expect([own.resize(4), idle, shared.bytes]).toEqual([true, [3], 10]);
    expect([own.resize(8), shared.bytes]).toEqual([false, 7]);
    shared.release(long);
    own.release();
    expect(shared.bytes).toBe(0);
  });
});

test('B74 ignored claims are removed, and the others stay as they are', () => {
  const settings = { headers: [], ignoredClaims: ['jti', 'iat'] };
  expect(hideClaims('{"jti":"x","sub":"a, \\"b\\"","n":1e400, "iat":5}', settings)).toBe(
    '{"sub":"a, \\"b\\"","n":1e400}',
  );
});
