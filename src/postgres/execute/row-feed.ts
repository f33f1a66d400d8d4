// Supplies the batches of a streamed insert. Further batches are read while others are being inserted.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { RowBatch } from '../../request/payload/row-batch.ts';
import type { ScriptGuard } from '../../sql/script-guard.ts';
import type { ArrivingScript, TransactionScript } from '../../sql/transaction-script.ts';
import type { StatementCache } from '../session/statement-cache.ts';
import { buildEstimate, buildNextBatch, type ScriptStep } from './script-steps.ts';

/** Batches per write: on a busy machine each write waits for its turn. */
const MAX_BATCHES_PER_WRITE = 4;

export class RowFeed {
  readonly #script: ArrivingScript;
  readonly #guard: ScriptGuard | undefined;
  /** The batches sent last. */
  #current: readonly RowBatch[];
  /** How many of them the database has inserted. */
  #takenCount = 0;
  #refused: RowBatch | undefined;
  #isAtFirst = true;
  /** Batches that have been read but not sent. */
  #ready: RowBatch[] = [];
  /** Set when no further batch follows, either because the body is complete or because of an error. */
  #end: Result<undefined, ApiError> | undefined;
  #isReading = false;
  /** Execution plans of the current batches, which are not inserted before all are known. */
  #plans: string[] | undefined;
  #onProgress: () => void = () => undefined;

  constructor(script: ArrivingScript, guard: ScriptGuard | undefined) {
    this.#script = script;
    this.#guard = guard;
    this.#current = [script.arriving.batches.first];
  }

  /** Whether only the first batch has been sent, so that the script can be retried. */
  get isAtFirst(): boolean {
    return this.#isAtFirst;
  }

  /** The batch that the database rejected, if any. */
  get refused(): RowBatch | undefined {
    return this.#refused;
  }

  noteComplete(step: ScriptStep): void {
    if (insertsBatch(step)) this.#takenCount += 1;
  }

  /** @param plan the execution plan of a current batch, in JSON */
  noteEstimate(plan: string): void {
    this.#plans?.push(plan);
  }

  /** @param step the step that failed */
  noteRefusal(step: ScriptStep | undefined): void {
    this.#refused = step !== undefined && insertsBatch(step) ? this.#current[this.#takenCount] : undefined;
  }

  /** Call when the current batches have been sent. */
  readAhead(): void {
    this.#takenCount = 0;
    if (!this.#isReading) void this.#read();
  }

  /** Returns the steps that estimate or insert the available batches; an empty list after the last one. */
  async proceed(statements: StatementCache | undefined): Promise<Result<readonly ScriptStep[], ApiError>> {
    if (this.#plans !== undefined) return this.#admit(this.#plans, statements);
    for (const { release } of this.#current) release?.();
    if (this.#ready.length === 0 && this.#end === undefined)
      await new Promise<void>((resolve) => (this.#onProgress = resolve));
    if (this.#end?.ok === false) return this.#end;
    this.#current = this.#ready.splice(0);
    this.#isAtFirst = false;
    const insertions = this.#insert(statements);
    if (this.#script.segments[0].budget === undefined) return ok(insertions);
    this.#plans = [];
    return ok(insertions.map(buildEstimate));
  }

  #insert(statements: StatementCache | undefined): readonly ScriptStep[] {
    return this.#current.map((batch) => buildNextBatch(this.#script, batch, statements));
  }

  /** Inserts the current batches if none exceeds the budget. */
  #admit(plans: readonly string[], statements: StatementCache | undefined): Result<readonly ScriptStep[], ApiError> {
    this.#plans = undefined;
    const { budget } = this.#script.segments[0];
    for (const plan of plans) {
      const error = budget && this.#guard?.checkPlan(plan, budget);
      if (error !== undefined) return fail(error);
    }
    return ok(this.#insert(statements));
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const { batches, columnInsertion } = this.#script.arriving;
    const form = columnInsertion === undefined ? 'objects' : 'columns';
    while (this.#end === undefined && this.#ready.length < MAX_BATCHES_PER_WRITE) {
      const next = await readNext(() => batches.next(form));
      if (!next.ok) this.#end = next;
      else if (next.value === undefined) this.#end = ok(undefined);
      else this.#ready.push(next.value);
      this.#onProgress();
    }
    this.#isReading = false;
  }
}

function insertsBatch({ role }: ScriptStep): boolean {
  return role === 'main' || role === 'insertion';
}

type Next = Result<RowBatch | undefined, ApiError>;

/** An exception in the source fails only its own request. */
async function readNext(next: () => Promise<Next>): Promise<Next> {
  try {
    return await next();
  } catch (error) {
    return { ok: false, error: { kind: 'undecodableResult', details: `The body could not be read: ${String(error)}` } };
  }
}

export function isArriving(script: TransactionScript): script is ArrivingScript {
  return script.arriving !== undefined;
}
