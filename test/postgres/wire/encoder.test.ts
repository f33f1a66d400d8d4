import { describe, expect, test } from 'vitest';
import { encodeBatch, encodeCancelRequest, type StatementCall } from '../../../src/postgres/wire/encoder.ts';
import { int32, message, text } from '../support/server-messages.ts';

const CALL: StatementCall = { name: 's1', text: undefined, parameters: [], resultFormat: 'text' };
const EXECUTE = message('E', text(''), int32(0));
const SYNC = message('S');

describe('encodeBatch', () => {
  test('writes Parse, Bind and Execute of each call, and one Sync', () => {
    const first = { ...CALL, text: 'select $1', parameters: ['a'] };
    const bytes = encodeBatch([], [first, { ...CALL, name: '' }]);
    expect(bytes).toStrictEqual(
      Buffer.concat([
        message('P', text('s1'), text('select $1'), Buffer.from([0, 0])),
        message('B', text(''), text('s1'), Buffer.from([0, 0, 0, 1]), int32(1), Buffer.from('a'), Buffer.from([0, 0])),
        EXECUTE,
        message('B', text(''), text(''), Buffer.from([0, 0, 0, 0, 0, 0])),
        EXECUTE,
        SYNC,
      ]),
    );
  });

  test('closes evicted statements before anything else', () => {
    expect(encodeBatch(['s7', 's12'], [])).toStrictEqual(
      Buffer.concat([message('C', Buffer.from('S'), text('s7')), message('C', Buffer.from('S'), text('s12')), SYNC]),
    );
  });

  test('sends text, bytes of text, binary and null, each with its format', () => {
    const binary = { kind: 'binary', bytes: new Uint8Array([0, 255]) } as const;
    const bytes = encodeBatch([], [{ ...CALL, parameters: ['ä€😀\ud800', Buffer.from('{}'), binary, null, ''] }]);
    const utf8 = Buffer.from('ä€😀\ufffd');
    expect(bytes).toStrictEqual(
      Buffer.concat([
        message(
          'B',
          text(''),
          text('s1'),
          Buffer.from([0, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]),
          Buffer.from([0, 5]),
          int32(utf8.length),
          utf8,
          int32(2),
          Buffer.from('{}'),
          int32(2),
          Buffer.from([0, 255]),
          int32(-1),
          int32(0),
          Buffer.from([0, 0]),
        ),
        EXECUTE,
        SYNC,
      ]),
    );
  });

  test('asks for binary columns with one format code for all of them', () => {
    expect(encodeBatch([], [{ ...CALL, resultFormat: 'binary' }])).toStrictEqual(
      Buffer.concat([message('B', text(''), text('s1'), Buffer.from([0, 0, 0, 0, 0, 1, 0, 1])), EXECUTE, SYNC]),
    );
  });

  test('refuses a statement text that would end before its end', () => {
    expect(() => encodeBatch([], [{ ...CALL, text: 'select 1\0' }])).toThrow('a statement text contains a zero byte');
  });
});

test('encodeCancelRequest names the session and its key', () => {
  expect(encodeCancelRequest(7, -2).toString('hex')).toBe('0000001004d2162e00000007fffffffe');
});
