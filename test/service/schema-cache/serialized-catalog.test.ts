// Catalog rows, serialized for another process and deserialized there.
import { expect, test } from 'vitest';
import { ReceivedRow } from '../../../src/postgres/wire/received-row.ts';
import {
  packCatalog,
  type ReceivedCatalog,
  unpackCatalog,
} from '../../../src/service/schema-cache/serialized-catalog.ts';

const NONE: ReceivedCatalog = {
  schemas: [],
  relations: [],
  columns: [],
  keys: [],
  uniqueIndexes: [],
  constraintComments: [],
  foreignKeys: [],
  views: [],
  routines: [],
  rowTypes: [],
  representations: [],
  mediaHandlers: [],
  database: [],
  shards: [],
};
const pause = (): Promise<void> => Promise.resolve();

/** Returns a row as it is received, among other bytes. */
function rowOf(values: readonly (string | null)[]): ReceivedRow {
  const parts = values.map((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
    return Buffer.concat([length, Buffer.from(value ?? '')]);
  });
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  const bytes = Buffer.concat([Buffer.from('before'), count, ...parts, Buffer.from('after')]);
  const row = ReceivedRow.read({ bytes, start: 6, end: bytes.byteLength - 5 });
  if (row === undefined) throw new Error('malformed');
  return row;
}

test('every value is preserved: text of any length, empty text and null', async () => {
  const relations = [['houses', '', null], ['straße', 'x'.repeat(100_000), '0'], []];
  const columns = [[null]];
  const packed = await packCatalog(
    { ...NONE, relations: relations.map((row) => rowOf(row)), columns: columns.map((row) => rowOf(row)) },
    pause,
  );
  // As the other process receives it.
  const unpacked = await unpackCatalog(structuredClone(packed), pause);
  expect(unpacked.relations.map((row) => row.decode())).toEqual(relations);
  expect(unpacked.columns.map((row) => row.decode())).toEqual(columns);
  expect(unpacked.schemas).toEqual([]);
  expect(unpacked.relations[0]?.at(3)).toBeUndefined();
});

test('bytes that are not a serialized catalog are rejected', async () => {
  const packed = await packCatalog({ ...NONE, keys: [rowOf(['a'])] }, pause);
  const cut = { ...packed, keys: packed.keys.subarray(0, -1) };
  await expect(unpackCatalog(cut, pause)).rejects.toThrow('the serialized catalog is malformed');
});
