// Names and types of columns, as far as the message contains them.
import { expect, test } from 'vitest';
import { readDescribedColumns } from '../../../src/postgres/wire/read-message.ts';

/** Of a column of type int4. */
const DESCRIPTION = Buffer.alloc(18);
DESCRIPTION.writeUInt32BE(23, 6);

function read(count: number, ...parts: readonly (Buffer | string)[]): readonly string[] | undefined {
  const body = Buffer.concat([Buffer.from([0, count]), ...parts.map((part) => Buffer.from(part))]);
  const bytes = Buffer.concat([Buffer.from('before'), body, Buffer.from('behind\0'), Buffer.alloc(40)]);
  const columns = readDescribedColumns({ type: 0x54, bytes, start: 6, end: 6 + body.length });
  return columns?.map(({ name, typeOid }) => `${name.toString()} ${typeOid}`);
}

test('the names and types of all columns are returned', () => {
  expect(read(0)).toEqual([]);
  expect(read(2, 'id\0', DESCRIPTION, 'größe, cm\0', DESCRIPTION)).toEqual(['id 23', 'größe, cm 23']);
});

test('a message that contradicts its length is rejected', () => {
  expect(read(1)).toBeUndefined();
  expect(read(1, 'id')).toBeUndefined();
  expect(read(1, 'id\0', DESCRIPTION.subarray(1))).toBeUndefined();
  expect(read(1, 'id\0', DESCRIPTION, 'more')).toBeUndefined();
  expect(read(2, 'id\0', DESCRIPTION)).toBeUndefined();
});
