import { describe, expect, test } from 'vitest';
import { encodeCancelRequest } from '../../../src/postgres/wire/control-messages.ts';
import { encodeMessages, type StatementCall } from '../../../src/postgres/wire/encoder.ts';
import { int32, message, text } from '../support/server-messages.ts';

const CALL: StatementCall = { name: 's1', text: undefined, parameters: [], resultFormat: 'text', isDescribed: false };
const EXECUTE = message('E', text(''), int32(0));
const SYNC = message('S');

function encodeJoined(...batch: Parameters<typeof encodeMessages>): Buffer {
  return Buffer.concat(encodeMessages(...batch));
}

describe('encodeMessages', () => {
  test('writes Parse, Bind and Execute for each call, and one Sync', () => {
    const first = { ...CALL, text: 'select $1', parameters: ['a'] };
    const bytes = encodeJoined([], [first, { ...CALL, name: '' }]);
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

  test('closes evicted statements first', () => {
    expect(encodeJoined(['s7', 's12'], [])).toStrictEqual(
      Buffer.concat([message('C', Buffer.from('S'), text('s7')), message('C', Buffer.from('S'), text('s12')), SYNC]),
    );
  });

  test('sends text, bytes of text, binary and null in their formats', () => {
    const binary = { kind: 'binary', bytes: [new Uint8Array([0, 255])] } as const;
    const bytes = encodeJoined(
      [],
      [{ ...CALL, parameters: ['ä€😀\ud800', [Buffer.from('{'), Buffer.from('}')], binary, null, ''] }],
    );
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

  test('does not copy long pieces', () => {
    const long = Buffer.alloc(70_000, 'x');
    const longer = Buffer.alloc(80_000, 'y');
    const parameters = ['a', [long, Buffer.from('b'), longer, longer], { kind: 'binary', bytes: [long] }] as const;
    const batch = encodeMessages([], [{ ...CALL, parameters }]);
    expect(batch.filter((piece) => [long, longer].some((one) => one === piece))).toEqual([long, longer, longer, long]);
    expect(Buffer.concat(batch).toString()).toBe(
      Buffer.concat([
        message(
          'B',
          text(''),
          text('s1'),
          Buffer.from([0, 3, 0, 0, 0, 0, 0, 1]),
          Buffer.from([0, 3]),
          int32(1),
          Buffer.from('a'),
          int32(230_001),
          long,
          Buffer.from('b'),
          longer,
          longer,
          int32(70_000),
          long,
          Buffer.from([0, 0]),
        ),
        EXECUTE,
        SYNC,
      ]).toString(),
    );
  });

  test('requests binary columns with one format code for all of them', () => {
    expect(encodeJoined([], [{ ...CALL, resultFormat: 'binary' }])).toStrictEqual(
      Buffer.concat([message('B', text(''), text('s1'), Buffer.from([0, 0, 0, 0, 0, 1, 0, 1])), EXECUTE, SYNC]),
    );
  });

  test('requests the column names before the rows', () => {
    const describePortal = message('D', text('P'));
    expect(encodeJoined([], [{ ...CALL, isDescribed: true }])).toStrictEqual(
      Buffer.concat([
        message('B', text(''), text('s1'), Buffer.from([0, 0, 0, 0, 0, 0])),
        describePortal,
        EXECUTE,
        SYNC,
      ]),
    );
  });

  test('rejects a statement text that contains a zero byte', () => {
    expect(() => encodeJoined([], [{ ...CALL, text: 'select 1\0' }])).toThrow('a statement text contains a zero byte');
  });
});

test('encodeCancelRequest contains the process id and key of the session', () => {
  expect(encodeCancelRequest(7, -2).toString('hex')).toBe('0000001004d2162e00000007fffffffe');
});
