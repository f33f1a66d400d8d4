// Serializes catalog rows for another process, and deserializes them. The rows stay encoded as the database sent them;
// the other process decodes them.
import type { CatalogRows } from '../../catalog/catalog-rows.ts';
import { ReceivedRow } from '../../postgres/wire/received-row.ts';

export type ReceivedCatalog = { readonly [Name in keyof CatalogRows]: readonly ReceivedRow[] };

/** For each statement, the rows one after the other, each preceded by its length. */
export type SerializedCatalog = { readonly [Name in keyof CatalogRows]: Uint8Array };

/** Size of a length field in bytes. */
const LENGTH_SIZE = 4;

/** @param pause yields to other work, since serializing a large catalog takes long */
export async function packCatalog(rows: ReceivedCatalog, pause: () => Promise<unknown>): Promise<SerializedCatalog> {
  return mapCatalog(rows, (each) => packRows(each, pause));
}

export async function unpackCatalog(
  catalog: SerializedCatalog,
  pause: () => Promise<unknown>,
): Promise<ReceivedCatalog> {
  return mapCatalog(catalog, (each) => unpackRows(each, pause));
}

async function mapCatalog<From, To>(
  catalog: { readonly [Name in keyof CatalogRows]: From },
  map: (value: From) => Promise<To>,
): Promise<{ readonly [Name in keyof CatalogRows]: To }> {
  return {
    schemas: await map(catalog.schemas),
    relations: await map(catalog.relations),
    columns: await map(catalog.columns),
    keys: await map(catalog.keys),
    uniqueIndexes: await map(catalog.uniqueIndexes),
    constraintComments: await map(catalog.constraintComments),
    foreignKeys: await map(catalog.foreignKeys),
    views: await map(catalog.views),
    routines: await map(catalog.routines),
    rowTypes: await map(catalog.rowTypes),
    representations: await map(catalog.representations),
    mediaHandlers: await map(catalog.mediaHandlers),
    database: await map(catalog.database),
    shards: await map(catalog.shards),
  };
}

async function packRows(rows: readonly ReceivedRow[], pause: () => Promise<unknown>): Promise<Uint8Array> {
  const size = rows.reduce((sum, { body }) => sum + LENGTH_SIZE + body.byteLength, 0);
  const bytes = Buffer.allocUnsafeSlow(size);
  let offset = 0;
  for (const { body } of rows) {
    offset = bytes.writeUInt32BE(body.byteLength, offset);
    offset += body.copy(bytes, offset);
    await pause();
  }
  return bytes;
}

/** Throws if `packRows` did not produce the bytes. */
async function unpackRows(packed: Uint8Array, pause: () => Promise<unknown>): Promise<readonly ReceivedRow[]> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const rows: ReceivedRow[] = [];
  let offset = 0;
  while (offset < bytes.byteLength) {
    const start = offset + LENGTH_SIZE;
    const end = start + bytes.readUInt32BE(offset);
    const row = end > bytes.byteLength ? undefined : ReceivedRow.read({ bytes, start, end });
    if (row === undefined) throw new Error('the serialized catalog is malformed');
    rows.push(row);
    offset = end;
    await pause();
  }
  return rows;
}
