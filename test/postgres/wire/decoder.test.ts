import { describe, expect, test } from 'vitest';
import { MessageDecoder } from '../../../src/postgres/wire/decoder.ts';
import { readColumns } from '../../../src/postgres/wire/read-message.ts';
import { ReceivedRow } from '../../../src/postgres/wire/received-row.ts';
import {
  BOUND,
  complete,
  error,
  message,
  notice,
  notification,
  PARSED,
  ready,
  row,
} from '../support/server-messages.ts';

const SENT = [
  PARSED,
  BOUND,
  notice({ S: 'NOTICE', V: 'NOTICE', C: '00000', M: 'careful' }),
  row('GET', null, ''),
  complete('SELECT 1'),
  notification('svc', 'reload schema'),
  error({ S: 'FEHLER', V: 'ERROR', C: '22P02', M: 'nein' }),
  ready('I'),
];

describe('MessageDecoder', () => {
  test('delivers the same messages wherever the bytes are split', () => {
    const bytes = Buffer.concat(SENT);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(decode([bytes.subarray(0, cut), bytes.subarray(cut)]).messages, `cut at ${cut}`).toStrictEqual(SENT);
    }
  });

  test('offers a buffer for the rest of a message and delivers what is read into it', () => {
    const bytes = row('x'.repeat(1000));
    const received: Buffer[] = [];
    const decoder = new MessageDecoder({
      receive: ({ bytes: all, end }) => received.push(Buffer.from(all.subarray(0, end))),
    });
    expect(decoder.freeSpace).toBeUndefined();
    decoder.push(bytes.subarray(0, 100));
    for (let offset = 100; offset < bytes.length; offset += 300) {
      const { freeSpace } = decoder;
      expect(freeSpace?.length).toBe(bytes.length - offset);
      const read = bytes.copy(freeSpace!, 0, offset, offset + 300);
      decoder.push(freeSpace!.subarray(0, read));
    }
    expect(received).toEqual([bytes]);
    expect(decoder.freeSpace).toBeUndefined();
  });

  test('delivers messages that arrive byte by byte', () => {
    const bytes = Buffer.concat(SENT);
    expect(decode([...bytes].map((byte) => Buffer.from([byte]))).messages).toStrictEqual(SENT);
  });

  test('assembles a row of many chunks in one buffer of its exact size', () => {
    const value = Buffer.alloc(1_000_000, 'x');
    const bytes = Buffer.concat([row(value), ready('I')]);
    const chunks = [];
    for (let offset = 0; offset < bytes.length; offset += 65_536) chunks.push(bytes.subarray(offset, offset + 65_536));
    const columns: Buffer[] = [];
    const decoder = new MessageDecoder({
      receive: (received) => {
        const [column] = readColumns(received) ?? [];
        if (Buffer.isBuffer(column)) columns.push(column);
      },
    });
    for (const chunk of chunks) expect(decoder.push(chunk)).toBe(undefined);
    expect(columns).toHaveLength(1);
    expect(columns[0]!.equals(value)).toBe(true);
    expect(columns[0]!.buffer.byteLength).toBe(row(value).length);
  });

  test('delivers the columns of a whole row as views of the received chunk', () => {
    const chunk = row('abc');
    const columns: (Buffer | null)[] = [];
    new MessageDecoder({ receive: (received) => columns.push(...(readColumns(received) ?? [])) }).push(chunk);
    chunk.write('xyz', chunk.length - 3);
    expect(columns.map(String)).toStrictEqual(['xyz']);
  });

  test.each([
    ['an unknown type', message('y')],
    ['a length below its own field', Buffer.from([0x43, 0, 0, 0, 3])],
    ['a negative length', Buffer.from([0x44, 0xff, 0xff, 0xff, 0xff])],
    ['a row longer than PostgreSQL can build', Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff])],
    ['a command tag of a megabyte', Buffer.from([0x43, 0, 0x10, 0, 0])],
    ['ReadyForQuery without its status', message('Z')],
    ['bytes of another protocol', Buffer.from('HTTP/1.1 400 Bad Request')],
  ])('reports %s as a fault and delivers nothing after it', (_, bytes) => {
    const decoded = decode([PARSED, bytes, ready('I')]);
    expect(decoded.fault).toMatch(/^unexpected message from the database server: type 0x[0-9a-f]+, length -?\d+$/);
    expect(decoded.messages).toStrictEqual([PARSED]);
  });

  test('delivers nothing after stop, not even from the current chunk', () => {
    let count = 0;
    const decoder: MessageDecoder = new MessageDecoder({
      receive: () => {
        count += 1;
        decoder.stop();
      },
    });
    expect(decoder.push(Buffer.concat([PARSED, BOUND]))).toBe(undefined);
    expect(count).toBe(1);
  });
});

describe('rows', () => {
  const malformed: readonly (readonly [string, Buffer])[] = [
    ['no column count', Buffer.alloc(1)],
    ['fewer columns than announced', Buffer.from([0, 2, 0, 0, 0, 0])],
    ['a column beyond the end', Buffer.from([0, 1, 0, 0, 0, 2, 0x61])],
    ['a negative length that is not null', Buffer.from([0, 1, 0xff, 0xff, 0xff, 0xfe])],
    ['bytes left over', Buffer.from([0, 1, 0, 0, 0, 1, 0x61, 0x62])],
  ];

  test.each(malformed)('rejects a row with %s', (_, body) => {
    const message = { type: 0x44, bytes: body, start: 0, end: body.length };
    expect(readColumns(message)).toBe(undefined);
    expect(ReceivedRow.read(message)).toBe(undefined);
  });

  test('values can be decoded one by one after the message has passed', () => {
    const rows: (ReceivedRow | undefined)[] = [];
    const decoder = new MessageDecoder({ receive: (message) => rows.push(ReceivedRow.read(message)) });
    decoder.push(Buffer.concat([row('ö', null, ''), row('later')]));
    const [first, second] = rows;
    expect([first?.at(0), first?.at(1), first?.at(2), first?.at(3)]).toStrictEqual(['ö', null, '', undefined]);
    expect(first?.decode()).toStrictEqual(['ö', null, '']);
    expect(second?.decode()).toStrictEqual(['later']);
  });
});

function decode(chunks: readonly Buffer[]): { messages: readonly Buffer[]; fault: string | undefined } {
  const messages: Buffer[] = [];
  const decoder = new MessageDecoder({
    receive: ({ type, bytes, start, end }) =>
      messages.push(message(String.fromCharCode(type), bytes.subarray(start, end))),
  });
  let fault: string | undefined;
  for (const chunk of chunks) fault ??= decoder.push(chunk);
  return { messages, fault };
}
