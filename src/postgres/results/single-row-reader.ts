// Reads the result of a statement that probably returns at most one row with the body as its only column. If the row is
// too long to buffer until the statement succeeds, or if there are several rows, the general statement has to run
// instead.
import { ok, type Result } from '../../contract/result.ts';
import type { ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { type ColumnValue, readColumns } from '../wire/read-message.ts';
import { bareOutcome } from './read-outcome.ts';
import type { ReaderHost, ResultReader } from './result-reader.ts';
import { MIN_STREAMED_BYTES } from './value-reader.ts';

const EMPTY_ARRAY = Buffer.from('[]');

export class SingleRowReader implements ResultReader {
  readonly #mayStream: boolean;
  #body: ColumnValue = null;
  #rowCount = 0;
  #isTooLong = false;

  constructor({ mayStream }: ReaderHost) {
    this.#mayStream = mayStream;
  }

  addRow(message: ServerMessage): boolean {
    const columns = readColumns(message);
    this.#rowCount += 1;
    if (this.#rowCount === 1) this.#body = columns?.[0] ?? null;
    return columns !== undefined;
  }

  takeLong(size: number): ((piece: Buffer) => void) | undefined {
    if (!this.#mayStream || size < MIN_STREAMED_BYTES) return undefined;
    this.#isTooLong = true;
    return () => undefined;
  }

  get needsFallback(): boolean {
    return this.#isTooLong || this.#rowCount > 1;
  }

  get result(): Result<ScriptResult, ApiError> {
    return ok({ kind: 'outcome', outcome: bareOutcome(this.#body ?? EMPTY_ARRAY, this.#rowCount) });
  }
}
