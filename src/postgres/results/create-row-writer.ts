// Creates the writer that assembles the body from a statement's rows, depending on its delivery.
import type { RowsDelivery, RowsFormat } from '../../contract/delivery.ts';
import { createArrayWriter } from './array-writer.ts';
import { createCsvWriter } from './csv-writer.ts';
import type { LineBuffer } from './line-buffer.ts';
import { createNdjsonWriter } from './ndjson-writer.ts';
import type { RowWriter } from './row-writer.ts';

const COUNTED_WRITERS: Readonly<Record<RowsFormat, (lines: LineBuffer) => RowWriter>> = {
  array: createArrayWriter,
  csv: createCsvWriter,
};

export function createRowWriter(delivery: RowsDelivery, lines: LineBuffer): RowWriter {
  return delivery.kind === 'ndjson' ? createNdjsonWriter(lines) : COUNTED_WRITERS[delivery.format](lines);
}
