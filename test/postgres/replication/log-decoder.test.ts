// Messages of the log, as PostgreSQL sends them: what is kept of a transaction is bounded.
import { expect, test } from 'vitest';
import type { LogTransaction } from '../../../src/extensions/live/log/log-changes.ts';
import { endOfRecord, LogDecoder } from '../../../src/extensions/live/log/log-decoder.ts';

const TABLE = 7;

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const begin = Buffer.concat([Buffer.from('B'), Buffer.alloc(16), uint32(42)]);
/** Commit at 0/10, whose record ends at 0/1000040. */
const commit = Buffer.concat([
  Buffer.from('C\0'),
  uint32(0),
  uint32(0x10),
  uint32(0),
  uint32(0x100_0040),
  Buffer.alloc(8),
]);

function insert(...values: readonly string[]): Buffer {
  const columns = values.map((value) => Buffer.concat([Buffer.from('t'), uint32(value.length), Buffer.from(value)]));
  return Buffer.concat([
    Buffer.from('I'),
    uint32(TABLE),
    Buffer.from('N'),
    Buffer.from([0, values.length]),
    ...columns,
  ]);
}

function decode(...messages: readonly Buffer[]): LogTransaction {
  const decoder = new LogDecoder(3);
  const decoded = [begin, ...messages, commit].map((message) => decoder.decode(message));
  const transaction = decoded.find((each) => each !== undefined);
  if (transaction === undefined) throw new Error('no transaction');
  return transaction;
}

test('B72f values that are long are unknown, as those that are not in the log', () => {
  const { changes, byteLength } = decode(insert('1', 'x'.repeat(1024)), insert('2', 'x'.repeat(1025)));
  expect(changes.get(TABLE)).toEqual([
    { columns: [], before: undefined, after: ['1', 'x'.repeat(1024)] },
    { columns: [], before: undefined, after: ['2', undefined] },
  ]);
  expect(byteLength).toBe(2049 + 2 * 19);
});

test('B93 a transaction ends where its commit record ends, or behind the header of the next page', () => {
  expect(decode().position).toEqual({ timeline: 3, lsn: 0x100_0040n });
  const ends = [0x1_0000_0010n, 0x2000n, 0x2400n, 0x30_0000n, 0x1_0000_0000n].map((lsn) => endOfRecord(lsn));
  expect(ends).toEqual([0x1_0000_0010n, 0x2018n, 0x2418n, 0x30_0028n, 0x1_0000_0028n]);
});

test('B77m the rows of a transaction of many bytes are not listed', () => {
  const rows = Array.from({ length: 5000 }, (_, index) => insert(String(index), 'x'.repeat(1000)));
  expect(decode(...rows.slice(0, 4000)).changes.get(TABLE)).toHaveLength(4000);
  expect(decode(...rows).changes.get(TABLE)).toBe('all');
});

test('B77n a message that ends too early is an error', () => {
  const whole = insert('1', 'abc');
  // After 5 bytes, the row could be missing.
  for (let length = 6; length < whole.length; length += 1)
    expect(() => decode(whole.subarray(0, length))).toThrow(RangeError);
});
