// Combines the results of the batches of a streamed insert into one outcome.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { readColumns } from '../wire/read-message.ts';
import { type OutcomeForm, readOutcomeRows } from './read-outcome.ts';
import type { ResultReader } from './result-reader.ts';

const TEXT: OutcomeForm = { encoding: 'text', hasPlan: false };

export class SummedReader implements ResultReader {
  #sum: DbOutcome | undefined;
  #failure: ApiError | undefined;

  /** Adds the outcome of one batch. */
  addRow(message: ServerMessage): boolean {
    const columns = readColumns(message);
    if (columns === undefined) return false;
    const read = readOutcomeRows({ main: [columns], plan: undefined }, TEXT);
    if (read.ok) this.#sum = addOutcomes(this.#sum, read.value.outcome);
    else this.#failure ??= read.error;
    return true;
  }

  /** Adds a batch for which only the number of inserted rows is known. */
  addInserted(count: number): void {
    if (this.#sum !== undefined) this.#sum = addOutcomes(this.#sum, { ...this.#sum, pageRows: count });
  }

  get result(): Result<ScriptResult, ApiError> {
    if (this.#failure !== undefined) return fail(this.#failure);
    if (this.#sum === undefined) return fail({ kind: 'undecodableResult', details: 'expected one row, got 0' });
    return ok({ kind: 'outcome', outcome: this.#sum });
  }
}

/** Settings and the counter of inserted rows last as long as the transaction, so the last batch has the totals. */
function addOutcomes(sum: DbOutcome | undefined, outcome: DbOutcome): DbOutcome {
  if (sum === undefined) return outcome;
  const pageRows = (sum.pageRows ?? 0) + (outcome.pageRows ?? 0);
  const location = pageRows === 1 ? (sum.location ?? outcome.location) : undefined;
  return { ...outcome, pageRows, location };
}
