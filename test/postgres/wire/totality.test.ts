import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ParameterValue } from '../../../src/contract/transaction.ts';
import { MessageDecoder } from '../../../src/postgres/wire/decoder.ts';
import { encodeMessages } from '../../../src/postgres/wire/encoder.ts';
import { readColumns, readCommandTag, readServerError, readTexts } from '../../../src/postgres/wire/read-message.ts';
import { ReceivedRow } from '../../../src/postgres/wire/received-row.ts';

test('decoding ends with messages or a fault, whatever bytes arrive', () => {
  const type = fc.constantFrom(...Buffer.from('123ACDEGHINSTWZcdnst'));
  const announced = fc.tuple(type, fc.uint8Array({ maxLength: 40 })).map(([code, body]) => {
    const bytes = Buffer.alloc(5 + body.length);
    bytes.writeUInt8(code);
    bytes.writeInt32BE(4 + body.length, 1);
    bytes.set(body, 5);
    return bytes;
  });
  const chunk = fc.oneof(
    announced,
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(fc.array(chunk), (chunks) => {
      const decoder = new MessageDecoder({
        receive: (message) => {
          readColumns(message);
          ReceivedRow.read(message)?.decode();
          readCommandTag(message);
          readServerError(message);
          readTexts(message, 4);
        },
      });
      const faults = chunks.map((bytes) => decoder.push(bytes)).filter((fault) => fault !== undefined);
      expect(new Set(faults).size).toBeLessThanOrEqual(1);
    }),
  );
});

test('every parameter value is encoded unchanged in the Bind message', () => {
  const piece = fc.oneof(
    fc.uint8Array(),
    fc.constantFrom(65_536, 65_537).map((length) => new Uint8Array(length).fill(7)),
  );
  const pieces = fc.array(piece, { maxLength: 3 });
  const value: fc.Arbitrary<ParameterValue> = fc.oneof(
    fc.string({ unit: 'binary' }),
    pieces,
    pieces.map((bytes) => ({ kind: 'binary', bytes }) as const),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.array(value), (parameters) => {
      const bytes = encodeMessages(
        [],
        [{ name: 's1', text: undefined, parameters, resultFormat: 'text', isDescribed: false }],
      );
      expect(readParameters(Buffer.concat(bytes))).toStrictEqual(parameters.map(toText));
    }),
  );
});

/** Decodes one byte per character: long buffers are slow to compare. */
function toText(value: ParameterValue): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return Buffer.from(value).toString('latin1');
  return Buffer.concat('kind' in value ? value.bytes : value).toString('latin1');
}

/** Returns the values of a Bind message for the unnamed portal and a statement name of two characters. */
function readParameters(bytes: Buffer): readonly (string | null)[] {
  let offset = 5 + 1 + 3;
  offset += 2 + 2 * bytes.readUInt16BE(offset);
  const count = bytes.readUInt16BE(offset);
  offset += 2;
  return Array.from({ length: count }, () => {
    const length = bytes.readInt32BE(offset);
    const begin = offset + 4;
    offset = begin + Math.max(0, length);
    return length < 0 ? null : bytes.toString('latin1', begin, offset);
  });
}
