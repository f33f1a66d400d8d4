// The batches of a script whose rows arrive while they are inserted: the next one is read while the one before is in the
// database, and what each gave is added up.
import type { Result } from '../contract/result.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RowBatch } from '../request/payload/row-batch.ts';
import type { ArrivingScript, TransactionScript } from '../sql/transaction-script.ts';
import { withRows } from './script-steps.ts';

type NextBatch = Promise<Result<RowBatch | undefined, ApiError>>;

export class BatchRun {
  /** The batch that was sent last. */
  current: RowBatch;
  /** Whether no other batch than the first has been sent, so that the script may begin anew. */
  isAtFirst = true;
  /** Of the batches so far. */
  outcome: DbOutcome | undefined;
  readonly #script: ArrivingScript;
  #next: NextBatch | undefined;

  constructor(script: ArrivingScript) {
    this.#script = script;
    this.current = script.arriving.batches.first;
  }

  /** With the current batch. */
  get script(): TransactionScript {
    return withRows(this.#script, this.current.bytes);
  }

  /** To be called when the current batch has been sent. */
  readAhead(): void {
    this.#next ??= this.#script.arriving.batches.next();
  }

  /** @param outcome of the current batch */
  async proceed(outcome: DbOutcome): NextBatch {
    this.outcome = addOutcomes(this.outcome, outcome);
    const next = await (this.#next ?? this.#script.arriving.batches.next());
    this.#next = undefined;
    if (next.ok && next.value !== undefined) {
      this.current = next.value;
      this.isAtFirst = false;
    }
    return next;
  }
}

export function isArriving(script: TransactionScript): script is ArrivingScript {
  return script.arriving !== undefined;
}

/** Settings and the counter of inserted rows live as long as the transaction: the last batch tells all of them. */
function addOutcomes(sum: DbOutcome | undefined, outcome: DbOutcome): DbOutcome {
  if (sum === undefined) return outcome;
  const pageRows = sum.pageRows + outcome.pageRows;
  const location = pageRows === 1 ? (sum.location ?? outcome.location) : undefined;
  return { ...outcome, pageRows, location };
}
