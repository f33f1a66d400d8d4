// The batches of a script whose rows arrive while they are inserted: further ones are read while some are in the database,
// and what each gave is added up.
import { ok, type Result } from '../contract/result.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RowBatch } from '../request/payload/row-batch.ts';
import type { ArrivingScript, TransactionScript } from '../sql/transaction-script.ts';
import { buildRepetition, type ScriptStep } from './script-steps.ts';
import type { StatementCache } from './statement-cache.ts';

/** Batches in one write: where processors are busy, each write waits for its turn. */
const MOST_TOGETHER = 4;

export class BatchRun {
  /** The batches that were sent last. */
  current: readonly RowBatch[];
  /** Whether no other batch than the first has been sent, so that the script may begin again. */
  isAtFirst = true;
  /** Of the batches so far. */
  outcome: DbOutcome | undefined;
  readonly #script: ArrivingScript;
  /** Read, and not sent. */
  #ready: RowBatch[] = [];
  /** Nothing more comes, because all has come or because of an error. */
  #end: Result<undefined, ApiError> | undefined;
  #isReading = false;
  #onProgress: () => void = () => undefined;

  constructor(script: ArrivingScript) {
    this.#script = script;
    this.current = [script.arriving.batches.first];
  }

  /** To be called when the current batches have been sent. */
  readAhead(): void {
    if (!this.#isReading) void this.#read();
  }

  add(outcome: DbOutcome): void {
    this.outcome = addOutcomes(this.outcome, outcome);
  }

  /** Of rows of which nothing else is known. */
  addRows(count: number): void {
    if (this.outcome !== undefined) this.outcome = addOutcomes(this.outcome, { ...this.outcome, pageRows: count });
  }

  /** @returns what inserts each of the next batches, as many as have come; none after the last */
  async proceed(statements: StatementCache | undefined): Promise<Result<readonly ScriptStep[], ApiError>> {
    for (const { release } of this.current) release?.();
    if (this.#ready.length === 0 && this.#end === undefined)
      await new Promise<void>((resolve) => (this.#onProgress = resolve));
    if (this.#end?.ok === false) return this.#end;
    this.current = this.#ready.splice(0);
    this.isAtFirst = false;
    return ok(this.current.map((batch) => buildRepetition(this.#script, batch, statements)));
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const { batches, columnInsertion } = this.#script.arriving;
    const form = columnInsertion === undefined ? 'objects' : 'columns';
    while (this.#end === undefined && this.#ready.length < MOST_TOGETHER) {
      const next = await batches.next(form);
      if (!next.ok) this.#end = next;
      else if (next.value === undefined) this.#end = ok(undefined);
      else this.#ready.push(next.value);
      this.#onProgress();
    }
    this.#isReading = false;
  }
}

export function isArriving(script: TransactionScript): script is ArrivingScript {
  return script.arriving !== undefined;
}

/** Settings and the counter of inserted rows live as long as the transaction: the last batch tells all of them. */
function addOutcomes(sum: DbOutcome | undefined, outcome: DbOutcome): DbOutcome {
  if (sum === undefined) return outcome;
  const pageRows = (sum.pageRows ?? 0) + (outcome.pageRows ?? 0);
  const location = pageRows === 1 ? (sum.location ?? outcome.location) : undefined;
  return { ...outcome, pageRows, location };
}
