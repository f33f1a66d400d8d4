import { expect, test } from 'vitest';
import { MessageDecoder, type MessageReceiver } from '../../../src/postgres/wire/decoder.ts';
import { DATA_ROW } from '../../../src/postgres/wire/message-type.ts';
import { RowParts } from '../../../src/postgres/wire/row-parts.ts';
import { ready, row } from '../support/server-messages.ts';

const HEADER = 5;

/** Returns what RowParts reports for a row that arrives in these pieces. */
function take(size: number, pieces: readonly Buffer[]): readonly unknown[] {
  const seen: unknown[] = [];
  const body: Buffer[] = [];
  const parts = new RowParts(size, undefined, {
    onHead: (columns, length) =>
      seen.push(
        columns.map((column) => column && column.toString()),
        length,
      ),
    onPiece: (piece) => body.push(piece),
    onEnd: () => seen.push(Buffer.concat(body).toString(), 'end'),
    onFault: () => seen.push('fault'),
  });
  for (const piece of pieces) parts.add(piece);
  return seen;
}

test('leading columns are reported whole, the last in pieces, wherever the row is split', () => {
  const body = row('200', null, '[{"a":"ö"}]', 'a long value').subarray(HEADER);
  for (let first = 1; first < body.length; first += 1) {
    for (let second = first + 1; second <= body.length; second += 1) {
      const pieces = [body.subarray(0, first), body.subarray(first, second), body.subarray(second)];
      const given = pieces.filter(({ length }) => length > 0);
      expect(take(body.length, given)).toEqual([['200', null, '[{"a":"ö"}]'], 12, 'a long value', 'end']);
    }
  }
});

test('lengths that contradict the message are a fault', () => {
  const body = row('200', 'a long value').subarray(HEADER);
  expect(take(body.length + 1, [body, Buffer.from('x')])).toEqual(['fault']);
  expect(take(body.length - 1, [body.subarray(0, -1)])).toEqual(['fault']);
});

/** Receives rows like a session whose exchange takes long rows in pieces, or does not. */
function decode(chunks: readonly Buffer[], isTaken: boolean): readonly string[] {
  const seen: string[] = [];
  const pieces: Buffer[] = [];
  const receiver: MessageReceiver = {
    receive: ({ type, start, end }) => void seen.push(`${String.fromCodePoint(type)} ${end - start}`),
    receiveLong: (type, length) => {
      seen.push(`long ${String.fromCodePoint(type)} ${length}`);
      return isTaken && type === DATA_ROW ? (piece) => void pieces.push(piece) : undefined;
    },
  };
  const decoder = new MessageDecoder(receiver);
  for (const chunk of chunks) expect(decoder.push(chunk)).toBeUndefined();
  if (isTaken) seen.push(`taken ${Buffer.concat(pieces).equals(LONG.subarray(HEADER))}`);
  return seen;
}

const LONG = row('1', 'y'.repeat(400_000));

test.each([1, 2, 4, 5, 6, 11, 60_000, 400_004, 400_015, 400_016, 400_020])(
  'a long message is delivered in pieces, also if the first read has %i bytes',
  (first) => {
    const bytes = Buffer.concat([row('before'), LONG, ready('I')]);
    const start = row('before').length;
    const rest = bytes.subarray(start + first);
    const chunks = [bytes.subarray(0, start + first), rest.subarray(0, 100_000), rest.subarray(100_000)];
    const given = chunks.filter(({ length }) => length > 0);
    const size = LONG.length - HEADER;
    const whole = decode(given, false);
    expect(whole).toEqual([`D 12`, ...whole.filter((line) => line.startsWith('long')), `D ${size}`, 'Z 1']);
    const taken = decode(given, true);
    const isLate = taken.includes(`long D ${size}`);
    expect(taken).toEqual(['D 12', isLate ? `long D ${size}` : `D ${size}`, 'Z 1', `taken ${isLate}`]);
  },
);
