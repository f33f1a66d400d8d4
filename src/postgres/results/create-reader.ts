// Creates the reader for the rows of a main statement, depending on its delivery.
import { assertNever, ok, type Result } from '../../contract/result.ts';
import type { ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { readAffectedRows, readColumns, readCommandTag } from '../wire/read-message.ts';
import { bareOutcome } from './read-outcome.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { RowsReader } from './rows-reader.ts';
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
    case 'affected':
      return new AffectedReader();
    case 'explain':
    case 'lines':
      return new LinesReader();
    default:
      return assertNever(delivery);
  }
}

/** Counts the rows that a statement writes without returning them. */
class AffectedReader implements ResultReader {
  #count = 0;

  addRow(): boolean {
    return false;
  }

  end(message: ServerMessage): void {
    this.#count = readAffectedRows(readCommandTag(message));
  }

  get result(): Result<ScriptResult, ApiError> {
    return ok({ kind: 'outcome', outcome: bareOutcome(new Uint8Array(), this.#count) });
  }
}

/** Collects rows of one text, such as the lines of an execution plan. */
class LinesReader implements ResultReader {
  readonly #lines: Uint8Array[] = [];

  addRow(message: ServerMessage): boolean {
    const columns = readColumns(message);
    this.#lines.push(columns?.[0] ?? new Uint8Array());
    return columns !== undefined;
  }

  get result(): Result<ScriptResult, ApiError> {
    return ok({ kind: 'lines', lines: this.#lines });
  }
}
