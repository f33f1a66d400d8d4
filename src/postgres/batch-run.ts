// The batches of a script whose rows arrive while they are inserted: the next one is read while the one before is in the
// database, and what each gave is added up.
import type { Result } from '../contract/result.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RowBatch } from '../request/payload/row-batch.ts';
import type { ArrivingRows } from '../sql/transaction-script.ts';

type NextBatch = Promise<Result<RowBatch | undefined, ApiError>>;

export class BatchRun {
  /** The batch that was sent last. */
  current: RowBatch;
  /** Whether no other batch than the first has been sent, so that the script may begin anew. */
  isAtFirst = true;
  /** Of the batches so far. */
  outcome: DbOutcome | undefined;
  readonly #rows: ArrivingRows;
  #next: NextBatch | undefined;

  constructor(rows: ArrivingRows) {
    this.#rows = rows;
    this.current = rows.batches.first;
  }

  /** To be called when the current batch has been sent. */
  readAhead(): void {
    this.#next ??= this.#rows.batches.next();
  }

  /** @param outcome of the current batch */
  async proceed(outcome: DbOutcome): NextBatch {
    this.outcome = addOutcomes(this.outcome, outcome);
    const next = await (this.#next ?? this.#rows.batches.next());
    this.#next = undefined;
    if (next.ok && next.value !== undefined) {
      this.current = next.value;
      this.isAtFirst = false;
    }
    return next;
  }
}

/** Settings and the counter of inserted rows live as long as the transaction: the last batch tells all of them. */
function addOutcomes(sum: DbOutcome | undefined, outcome: DbOutcome): DbOutcome {
  if (sum === undefined) return outcome;
  const pageRows = sum.pageRows + outcome.pageRows;
  const location = pageRows === 1 ? (sum.location ?? outcome.location) : undefined;
  return { ...outcome, pageRows, location };
}
