// Runs a script whose rows are inserted while the request body arrives. If the database rejects a row, finds its line
// in the body with trial transactions that are rolled back.
import { fail } from '../../contract/result.ts';
import type { Pieces } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { RowBatch } from '../../request/payload/row-batch.ts';
import type { ArrivingScript, TransactionScript } from '../../sql/transaction-script.ts';
import { withRows } from './script-steps.ts';
import { type RunListener, TransactionRun } from './transaction-run.ts';
import type { Lease } from './lease.ts';
import type { ScriptReply } from '../session/script-reply.ts';

type Refusal = Extract<ApiError, { kind: 'database' }>;

/** Milliseconds after which the search stops and reports the remaining range of lines. */
const SEARCH_MS = 3000;
/** SQLSTATEs of server state and timeouts, for which no row is to blame. */
const UNRELATED_TO_ROWS = /^(?:08|25|40|53|54|55|57|58|F0|XX)/u;
/** The details of these errors contain the key, which distinguishes one rejected row from another. */
const KEY_ERRORS: ReadonlySet<string> = new Set(['23503', '23505']);

/** @param listener of the script; learns of its end when the rejected row has been found */
export function runArriving(lease: Lease, script: ArrivingScript, listener: RunListener): void {
  const explain = async (run: TransactionRun, reply: ScriptReply): Promise<ScriptReply> => {
    const batch = run.refusedBatch;
    if (reply.ok || reply.error.kind !== 'database' || batch === undefined || !isRowError(reply.error)) return reply;
    return fail(await new LineSearch(lease, script, reply.error).find(batch));
  };
  new TransactionRun(lease, script, {
    onAnswer: (run, reply) => listener.onAnswer(run, reply),
    onOver: (run, reply) => {
      explain(run, reply).then(
        (explained) => listener.onOver(run, explained),
        // If the search fails, report the original error.
        () => listener.onOver(run, reply),
      );
    },
  }).start();
}

function isRowError({ report, connectionFault }: Refusal): boolean {
  return connectionFault === undefined && !UNRELATED_TO_ROWS.test(report.sqlstate);
}

class LineSearch {
  readonly #lease: Lease;
  readonly #script: ArrivingScript;
  #refusal: Refusal;

  constructor(lease: Lease, script: ArrivingScript, refusal: Refusal) {
    this.#lease = lease;
    this.#script = script;
    this.#refusal = refusal;
  }

  /** Returns the error with the range of lines that contains the rejected row. */
  async find(batch: RowBatch): Promise<ApiError> {
    const end = performance.now() + SEARCH_MS;
    const { count } = batch;
    const lines = (first: number, last: number): ApiError => ({
      ...this.#refusal,
      lines: { first: batch.lineOf(first), last: batch.lineOf(last) },
    });
    // If the error occurs without any row, no row caused it. If the batch succeeds now, it failed because of earlier
    // rows.
    if ((await this.#check(batch.objects(0))) !== 'accepted') return this.#refusal;
    const again = await this.#try(batch.objects(count));
    // A column insert reads the values column by column, so its first error is not necessarily in the first invalid row.
    if (
      batch.columns !== undefined &&
      this.#refusal.report.sqlstate.startsWith('22') &&
      again?.kind === 'database' &&
      isRowError(again)
    )
      this.#refusal = again;
    if (again === undefined || !isSameError(again, this.#refusal)) return lines(0, count - 1);
    let accepted = 0;
    let refused = count;
    while (refused - accepted > 1 && performance.now() < end) {
      const middle = (accepted + refused) >> 1;
      const result = await this.#check(batch.objects(middle));
      if (result === 'disturbed') break;
      if (result === 'refused') refused = middle;
      else accepted = middle;
    }
    return lines(accepted, refused - 1);
  }

  /** Returns `refused` for the same error as before; other errors, such as a timeout, say nothing about the rows. */
  async #check(rows: Pieces): Promise<'accepted' | 'refused' | 'disturbed'> {
    const error = await this.#try(rows);
    if (error === undefined) return 'accepted';
    return isSameError(error, this.#refusal) ? 'refused' : 'disturbed';
  }

  /** Inserts the rows in a transaction that is rolled back. @returns undefined on success */
  async #try(rows: Pieces): Promise<ApiError | undefined> {
    const script = withRows(this.#script, rows);
    const [segment] = script.segments;
    const segments: TransactionScript['segments'] = [{ ...segment, verify: undefined }];
    const trial: TransactionScript = { ...script, segments, arriving: undefined, end: 'rollback' };
    const reply = await new Promise<ScriptReply>((resolve) => {
      const listener = { onAnswer: () => undefined, onOver: (_: TransactionRun, ended: ScriptReply) => resolve(ended) };
      new TransactionRun(this.#lease, trial, listener).start();
    });
    return reply.ok ? undefined : reply.error;
  }
}

function isSameError(error: ApiError, { report: other }: Refusal): boolean {
  if (error.kind !== 'database') return false;
  const { report: one } = error;
  if (one.sqlstate !== other.sqlstate || one.message !== other.message) return false;
  return !KEY_ERRORS.has(one.sqlstate) || one.detail === other.detail;
}
