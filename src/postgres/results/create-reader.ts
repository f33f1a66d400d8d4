// Creates the reader for the rows of a main statement, depending on its delivery.
import { assertNever } from '../../contract/result.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { RowsReader } from './rows-reader.ts';
import { LinesReader } from './lines-reader.ts';
import type { ReaderHost, ResultReader } from './result-reader.ts';
import { SingleRowReader } from './single-row-reader.ts';
import { ValueReader } from './value-reader.ts';

export function createReader(delivery: Delivery, host: ReaderHost, hasPlannedCount: boolean): ResultReader {
  switch (delivery.kind) {
    case 'value':
      return new ValueReader(delivery, host, hasPlannedCount);
    case 'singleRow':
      return new SingleRowReader(host);
    case 'countedRows':
    case 'ndjson':
      return new RowsReader(delivery, host);
    case 'explain':
    case 'lines':
      return new LinesReader();
    default:
      return assertNever(delivery);
  }
}
