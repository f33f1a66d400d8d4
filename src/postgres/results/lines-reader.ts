// Collects rows of one text, such as the lines of an execution plan.
import { ok, type Result } from '../../contract/result.ts';
import type { ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { readColumns } from '../wire/read-message.ts';
import type { ResultReader } from './result-reader.ts';

export class LinesReader implements ResultReader {
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
