// What a run sends: the first part of its script, with which a repetition starts, then the batches of rows that arrive
// or the parts that depend on earlier results, among them estimates.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { RowBatch } from '../../request/payload/row-batch.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { BatchFeed, isArriving } from './batch-feed.ts';
import type { ScriptStep, StepRole } from './build-step.ts';
import { estimateFirst } from './estimate-first.ts';
import type { Lease } from './lease.ts';
import { buildPart, type PlanState } from './script-steps.ts';

/** Steps that belong to the request of their segment. */
const REQUEST_STEPS: ReadonlySet<StepRole> = new Set(['settings', 'preRequest', 'roleCheck', 'main', 'plannedCount']);

export class ScriptParts {
  /** Undefined until rows are sent that arrive. It keeps its place when the script starts again. */
  #feed: BatchFeed | undefined;
  #first: TransactionScript;
  #current: TransactionScript;

  constructor(script: TransactionScript, { fallbacks, estimates }: Lease) {
    this.#first = estimateFirst(fallbacks.choose(script), estimates);
    this.#current = this.#first;
    this.#openFeed();
  }

  /** The part of the script that was sent last. */
  get current(): TransactionScript {
    return this.#current;
  }

  get first(): TransactionScript {
    return this.#first;
  }

  /** Whether nothing but the first part has been sent. */
  get isAtFirst(): boolean {
    return this.#current === this.#first && this.#feed?.isAtFirst !== false;
  }

  /** Whether the results decide what is sent next. */
  get mayContinue(): boolean {
    return this.#current.arriving !== undefined || this.#current.continue !== undefined;
  }

  /** Whether rows that were not kept have been sent, so that the script cannot be repeated. */
  get hasSpentRows(): boolean {
    return this.#feed?.isAtFirst === false;
  }

  /** The batch of rows that the database rejected, if any. */
  get refusedBatch(): RowBatch | undefined {
    return this.#feed?.refused;
  }

  /** Returns to the start, with the same or another script. */
  restart(script: TransactionScript): void {
    this.#first = script;
    this.#current = script;
  }

  /** Call when steps have been sent. */
  readAhead(): void {
    this.#feed?.readAhead();
  }

  noteComplete(step: ScriptStep): void {
    if (this.#current.arriving !== undefined) this.#feed?.noteComplete(step);
  }

  /** @param plan the execution plan of a batch of rows, in JSON */
  noteEstimate(plan: string): void {
    this.#feed?.noteEstimate(plan);
  }

  /**
   * @param step the step that failed
   * @returns the error, with the index of the request in its batch if a statement of that request failed
   */
  noteRefusal(step: ScriptStep | undefined, error: ApiError): ApiError {
    if (this.#current.arriving !== undefined) this.#feed?.noteRefusal(step);
    const isOfRequest = error.kind === 'database' && step !== undefined && REQUEST_STEPS.has(step.role);
    const request = isOfRequest ? this.#current.segments[step.segment]?.request : undefined;
    return error.kind === 'database' && request !== undefined ? { ...error, request } : error;
  }

  /** Returns the steps to send next: the batches that have arrived, or the next part; none: the transaction ends. */
  async proceed(results: ScriptResults, state: PlanState): Promise<Result<readonly ScriptStep[], ApiError>> {
    if (this.#current.arriving !== undefined && this.#feed !== undefined) return this.#feed.proceed(state.statements);
    const next = await continueSafely(this.#current, results);
    if (!next.ok) return next;
    if (next.value === undefined) return ok([]);
    this.#current = next.value;
    this.#openFeed();
    return ok(buildPart(next.value, state));
  }

  #openFeed(): void {
    if (isArriving(this.#current)) this.#feed ??= new BatchFeed(this.#current);
  }
}

/** An exception fails only its own request: the transaction is rolled back, and the connection is kept. */
async function continueSafely(
  script: TransactionScript,
  results: ScriptResults,
): Promise<Result<TransactionScript | undefined, ApiError>> {
  try {
    return (await script.continue?.(results)) ?? ok(undefined);
  } catch (error) {
    return fail({ kind: 'undecodableResult', details: `The transaction could not continue: ${String(error)}` });
  }
}
