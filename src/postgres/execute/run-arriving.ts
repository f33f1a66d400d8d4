// In: a script whose rows arrive while they are inserted, and a connection. Out: what all of them gave, or the error that
// undid them. Of a row that the database refused its line is looked for, in transactions that keep nothing.
import { fail } from '../../contract/result.ts';
import type { Pieces } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { RowBatch } from '../../request/payload/row-batch.ts';
import type { ArrivingScript, TransactionScript } from '../../sql/transaction-script.ts';
import { withRows } from './script-steps.ts';
import type { RunEvents } from './run-events.ts';
import { TransactionRun } from './transaction-run.ts';
import type { Lease } from './lease.ts';
import type { ScriptReply } from '../session/script-reply.ts';

type Refusal = Extract<ApiError, { kind: 'database' }>;

/** Milliseconds after which the lines that are left are told. */
const SEARCH_MS = 3000;
/** Errors of the server's state, and of time limits: no row is to blame. */
const OF_NO_ROW = /^(?:08|25|40|53|54|55|57|58|F0|XX)/u;
/** Their details name the key, which tells a refusal from another one of the same kind. */
const OF_A_KEY: ReadonlySet<string> = new Set(['23503', '23505']);

export function runArriving(lease: Lease, script: ArrivingScript, { onOver, ...events }: RunEvents): void {
  const explain = async (reply: ScriptReply): Promise<ScriptReply> => {
    const batch = run.refusedBatch;
    if (reply.ok || reply.error.kind !== 'database' || batch === undefined || !isOfARow(reply.error)) return reply;
    return fail(await new LineSearch(lease, script, reply.error).find(batch));
  };
  const run = new TransactionRun(lease, script, {
    ...events,
    onOver: (reply) => {
      // A search that breaks off leaves the refusal as it is.
      explain(reply).then(onOver, () => onOver(reply));
    },
  });
  run.start();
}

function isOfARow({ report, connectionFault }: Refusal): boolean {
  return connectionFault === undefined && !OF_NO_ROW.test(report.sqlstate);
}

const IGNORED = (): void => undefined;

class LineSearch {
  readonly #lease: Lease;
  readonly #script: ArrivingScript;
  #refusal: Refusal;

  constructor(lease: Lease, script: ArrivingScript, refusal: Refusal) {
    this.#lease = lease;
    this.#script = script;
    this.#refusal = refusal;
  }

  /** @returns the refusal, with the lines among which the refused row is */
  async find(batch: RowBatch): Promise<ApiError> {
    const end = performance.now() + SEARCH_MS;
    const { count } = batch;
    const lines = (first: number, last: number): ApiError => ({
      ...this.#refusal,
      lines: { first: batch.lineOf(first), last: batch.lineOf(last) },
    });
    // What is refused without any row is not a row's fault; what is accepted now is refused for the sake of rows before.
    if ((await this.#check(batch.objects(0))) !== 'accepted') return this.#refusal;
    const again = await this.#try(batch.objects(count));
    if (batch.columns !== undefined && isOfAValue(this.#refusal) && again?.kind === 'database' && isOfARow(again))
      this.#refusal = again;
    if (again === undefined || !isSame(again, this.#refusal)) return lines(0, count - 1);
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

  /** Refused in the same words as before; a time limit, say, tells nothing of the rows. */
  async #check(rows: Pieces): Promise<'accepted' | 'refused' | 'disturbed'> {
    const error = await this.#try(rows);
    if (error === undefined) return 'accepted';
    return isSame(error, this.#refusal) ? 'refused' : 'disturbed';
  }

  /** @returns undefined where they are accepted */
  async #try(rows: Pieces): Promise<ApiError | undefined> {
    const script = withRows(this.#script, rows);
    const [segment] = script.segments;
    const segments: TransactionScript['segments'] = [{ ...segment, verify: undefined }];
    const trial: TransactionScript = { ...script, segments, arriving: undefined, end: 'rollback' };
    const reply = await new Promise<ScriptReply>((onOver) => {
      new TransactionRun(this.#lease, trial, { onAnswer: IGNORED, onOver, stop: IGNORED }).start();
    });
    return reply.ok ? undefined : reply.error;
  }
}

/** Columns are read one by one, rows one after the other: of several values that are refused that of the first row counts. */
function isOfAValue({ report }: Refusal): boolean {
  return report.sqlstate.startsWith('22');
}

function isSame(error: ApiError, { report: other }: Refusal): boolean {
  if (error.kind !== 'database') return false;
  const { report: one } = error;
  if (one.sqlstate !== other.sqlstate || one.message !== other.message) return false;
  return !OF_A_KEY.has(one.sqlstate) || one.detail === other.detail;
}
