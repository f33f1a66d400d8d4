// The answer of one script: whole when its transaction is over, or given out before that, while its rows or its one long
// value still come.
import { fail, ok, type Result } from '../contract/result.ts';
import type { RowsDelivery } from '../contract/delivery.ts';
import type { DbOutcome, ScriptResult } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import { inFullForm } from './full-form.ts';
import { OpenAnswer } from './open-answer.ts';
import { type BodyBegin, RowStream } from './row-stream.ts';
import type { Session } from './session.ts';
import type { StreamSlots } from './stream-slots.ts';
import type { StreamedBody } from './streamed-body.ts';
import { ValueMemory } from './value-memory.ts';
import { streamValue } from './value-stream.ts';

/** Bytes of a row above which its body is sent on while it comes. */
const LONG_ANSWER = 1024 * 1024;

export type Settle = (result: Result<ScriptResult, ApiError>) => void;

export class ScriptAnswer {
  /** Of a statement whose rows are not kept. */
  readonly rows: RowStream | undefined;
  readonly #session: Session;
  #script: TransactionScript;
  readonly #settle: Settle;
  /** What has been given out: nothing of it can be taken back. */
  #given: OpenAnswer | undefined;
  /** Where there is one to be given back. */
  #slots: StreamSlots | undefined;
  /** A single row was not kept: it is to come again, behind everything that could fail. */
  #isPassedOver = false;
  /** Of the long value. */
  #memory: ValueMemory | undefined;

  constructor(session: Session, script: TransactionScript, settle: Settle) {
    this.#session = session;
    this.#script = script;
    this.#settle = settle;
    const { delivery } = script.segments[0].main;
    if (delivery.kind !== 'countedRows' && delivery.kind !== 'ndjson') return;
    this.rows = new RowStream({
      delivery,
      open: (outcome, begin) => this.#openRows(outcome, begin, delivery),
      onFault: () => this.breakOff(),
    });
  }

  /**
   * @param left bytes still to come of a long row; 0: there is none
   * @returns where they are to be read; undefined: anywhere, because they are kept
   */
  offerRoom(left: number): Buffer | undefined {
    if (this.rows === undefined) return left > 0 ? this.#memory?.offer(left) : undefined;
    // What other scripts and the end of a write give is kept where it was read.
    return this.#script.mayStream && !this.#session.isShared ? this.rows.room : undefined;
  }

  get isGiven(): boolean {
    return this.#given !== undefined;
  }

  /**
   * A read may be answered before its last byte is here, unless something is to be known then.
   *
   * @param size bytes of a row of the main statement
   * @returns what takes them as they come; undefined: they are to be kept
   */
  takeLong(size: number, isFirst: boolean): ((piece: Buffer) => void) | undefined {
    if (this.rows !== undefined) return this.rows.takeLong(size);
    const { mayStream, segments } = this.#script;
    const [{ main, plannedCount }] = segments;
    const isLong = mayStream && main.delivery.kind !== 'explain' && size >= LONG_ANSWER && isFirst;
    if (isLong && main.delivery.kind === 'singleRow') {
      this.#isPassedOver = true;
      return () => undefined;
    }
    const slots = this.#session.streamSlots;
    if (!isLong || plannedCount !== undefined || slots?.tryEnter() !== true) return undefined;
    this.#slots = slots;
    const open = (outcome: DbOutcome, length: number): StreamedBody =>
      this.#open(outcome, { pieces: [], expectedLength: length }, length);
    this.#memory = new ValueMemory();
    return streamValue({ main, size, memory: this.#memory, open, onFault: () => this.breakOff() });
  }

  /**
   * To be called where nothing has failed.
   *
   * @param rows that were kept
   * @returns what is to run in place of the script, where what was taken for a single row is a long one, or several
   */
  replaceScript(rows: number): TransactionScript | undefined {
    const isSingle = this.#script.segments[0].main.delivery.kind === 'singleRow';
    if (!isSingle || (rows < 2 && !this.#isPassedOver)) return undefined;
    this.#script = inFullForm(this.#script);
    return this.#script;
  }

  breakOff(): void {
    this.#session.destroy('the database server sent a malformed row');
  }

  /**
   * The transaction is over.
   *
   * @param readWhole what the answer is, unless it has been given
   */
  finish(failure: ApiError | undefined, readWhole: () => Result<ScriptResult, ApiError>): void {
    this.#slots?.leave();
    if (this.#given !== undefined) this.#given.end(failure);
    else if (failure !== undefined) this.#settle(fail(failure));
    else this.#settle(readWhole());
  }

  /** @returns undefined for rows that are to be kept: those of a write, or no connection can be spared for them */
  #openRows(outcome: DbOutcome, begin: BodyBegin, { kind }: RowsDelivery): StreamedBody | undefined {
    // NDJSON has waited for a connection before.
    if (kind === 'ndjson') return this.#open(outcome, begin);
    const slots = this.#session.streamSlots;
    if (!this.#script.mayStream || this.#session.isShared || slots?.tryEnter() !== true) return undefined;
    this.#slots = slots;
    return this.#open(outcome, begin);
  }

  #open(outcome: DbOutcome, begin: BodyBegin, byteLength?: number): StreamedBody {
    const { body } = (this.#given = new OpenAnswer(this.#session, { ...begin, byteLength }));
    this.#settle(ok({ kind: 'outcome', outcome: { ...outcome, body } }));
    return body;
  }
}
