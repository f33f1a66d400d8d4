// Passes the rows of each segment of a script to its reader and combines the results when the transaction is over. Starts
// the response earlier where that is allowed: the body then consists of the rows that the database still sends.
import { fail, ok } from '../../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ResultLimit, Segment, TransactionScript } from '../../sql/transaction-script.ts';
import { createReader } from '../results/create-reader.ts';
import type { ReaderHost, ResultReader } from '../results/result-reader.ts';
import { SummedReader } from '../results/summed-reader.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { BodyMemory } from '../stream/body-memory.ts';
import { StreamedBody, type StreamSource, type StreamStart } from '../stream/streamed-body.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { readAffectedRows, readColumns, readCommandTag } from '../wire/read-message.ts';
import type { FallbackStatements } from './fallback-statements.ts';
import type { Lease } from './lease.ts';
import type { ScriptStep } from './script-steps.ts';

/** The transaction whose rows are read. */
export interface ReadingHost {
  readonly lease: Lease;
  /** Ends the connection: a row is malformed or has unexpected columns. */
  refuseRow(): void;
  /** The response is an error, so its statements may stop. */
  overflow(error: ApiError): void;
  /** Starts the response before the transaction is over. */
  answer(reply: ScriptReply): void;
  /** @param plan the execution plan of a batch of rows, in JSON */
  noteEstimate(plan: string): void;
}

const NO_READERS: readonly ResultReader[] = [];
const DISCARD = (): void => undefined;

export class ScriptReading implements ReaderHost {
  readonly mayStream: boolean;
  readonly #script: TransactionScript;
  readonly #host: ReadingHost;
  /** Readers of the first segment and of the others. */
  readonly #first: ResultReader;
  readonly #others: readonly ResultReader[];
  readonly #budget: ResultBudget | undefined;
  #early: EarlyAnswer | undefined;
  #isOver = false;
  #afterCommit: DbOutcome['afterCommit'];
  /** What pre-request functions have set, for `Segment.returnsSettings`. */
  readonly #settings: ResponseSettings[];

  /** @param former reads the part before this one */
  constructor(script: TransactionScript, host: ReadingHost, former?: ScriptReading) {
    const { segments, resultLimit } = script;
    const last = former === undefined ? undefined : former.#settings.at(-1);
    this.#settings = last === undefined ? [] : [{ ...last, segment: -1 }];
    this.#script = script;
    this.#host = host;
    this.#budget = resultLimit && new ResultBudget(resultLimit, host);
    // A response with several results starts only when all are known.
    this.mayStream = script.mayStream && segments.length === 1;
    this.#first = this.#createReader(segments[0]);
    this.#others = segments.length === 1 ? NO_READERS : segments.slice(1).map((segment) => this.#createReader(segment));
  }

  get memory(): BodyMemory {
    return this.#host.lease.memory;
  }

  get ownsSession(): boolean {
    return this.mayStream && !this.#host.lease.session.isShared;
  }

  /** The result delivered before the end of the transaction, which cannot be taken back. */
  get delivered(): ScriptResult | undefined {
    return this.#early?.result;
  }

  tryAcquirePermit(): boolean {
    return !this.#isOver && this.ownsSession && this.#host.lease.tryAcquirePermit();
  }

  startAnswer(outcome: DbOutcome, start: StreamStart): StreamedBody | undefined {
    if (!this.tryAcquirePermit()) return undefined;
    this.#early = new EarlyAnswer(this.#host.lease, this.#addSettings(outcome, 0), start);
    this.#host.answer(ok([this.#early.result]));
    return this.#early.body;
  }

  refuseRow(): void {
    this.#host.refuseRow();
  }

  overflow(error: ApiError): void {
    this.#host.overflow(error);
  }

  /** @returns whether the message is well-formed */
  nameColumns(step: ScriptStep, message: ServerMessage): boolean {
    return step.role !== 'main' || this.#readerOf(step)?.nameColumns?.(message) !== false;
  }

  /** @returns whether the row is well-formed */
  addRow(step: ScriptStep, message: ServerMessage): boolean {
    const size = message.end - message.start;
    if (this.#budget?.isExceededBy(size, this.#requestOf(step)) === true) return true;
    this.#budget?.add(size);
    const reader = this.#readerOf(step);
    if (step.role === 'main') return reader?.addRow(message) !== false;
    if (step.role === 'preRequest' && this.#script.segments[step.segment]?.returnsSettings === true) {
      const [, headers, status] = readColumns(message) ?? [];
      if (headers === undefined || status === undefined) return false;
      this.#settings.push({ segment: step.segment, headers: headers?.toString(), status: status?.toString() });
      return true;
    }
    if (step.role !== 'plannedCount' && step.role !== 'afterCommit' && step.role !== 'estimate') return true;
    const columns = readColumns(message);
    if (columns === undefined) return false;
    if (step.role === 'plannedCount') reader?.addPlan?.(columns);
    else if (step.role === 'estimate') this.#host.noteEstimate(columns[0]?.toString() ?? '');
    else this.#afterCommit = columns.map((value) => value?.toString());
    return true;
  }

  takeLong(step: ScriptStep | undefined, size: number): ((piece: Buffer) => void) | undefined {
    if (step?.role !== 'main') return undefined;
    if (this.#budget?.isExceededBy(size, this.#requestOf(step)) === true) return DISCARD;
    const take = this.#readerOf(step)?.takeLong?.(size);
    if (take !== undefined) this.#budget?.add(size);
    return take;
  }

  provideBuffer(step: ScriptStep | undefined, remaining: number): Buffer | undefined {
    return step?.role === 'main' ? this.#readerOf(step)?.provideBuffer?.(remaining) : undefined;
  }

  /** Call when a statement is complete. */
  complete(step: ScriptStep, message: ServerMessage): void {
    if (step.role !== 'main' && step.role !== 'insertion') return;
    const reader = this.#readerOf(step);
    if (step.role === 'main') reader?.end?.(message);
    else if (reader instanceof SummedReader) reader.addInserted(readAffectedRows(readCommandTag(message)));
  }

  /** Returns the script to run instead if a result is not of the form that its statement expects. */
  replaceScript(fallbacks: FallbackStatements): TransactionScript | undefined {
    // A write has happened, and must not happen again.
    if (this.#script.access !== 'read only') return undefined;
    if (this.#first.needsFallback !== true && !this.#others.some((reader) => reader.needsFallback === true))
      return undefined;
    const readers = [this.#first, ...this.#others];
    const { segments } = this.#script;
    const needsGeneral = ({ main }: Segment, index: number): boolean =>
      readers[index]?.needsFallback === true && main.general !== undefined;
    const [first, ...others] = segments.map((segment, index) =>
      needsGeneral(segment, index) ? { ...segment, main: fallbacks.note(segment.main) } : segment,
    );
    return segments.some(needsGeneral) && first ? { ...this.#script, segments: [first, ...others] } : undefined;
  }

  /** Returns the results of all segments. Call only if nothing has failed. */
  read(): ScriptReply {
    const first = this.#first.result;
    if (!first.ok) return first;
    if (this.#others.length === 0) return ok([this.#complete(first.value, 0)]);
    const others: ScriptResult[] = [];
    for (const [index, { result }] of this.#others.entries()) {
      if (!result.ok) return result;
      others.push(this.#complete(result.value, index + 1));
    }
    return ok([this.#complete(first.value, 0), ...others]);
  }

  /** Call when the transaction is over: the session no longer belongs to this response. */
  end(failure: ApiError | undefined): ScriptReply {
    this.#early?.end(failure);
    this.#isOver = true;
    if (failure === undefined) return this.#early === undefined ? this.read() : ok([this.#early.result]);
    this.abandon();
    return fail(failure);
  }

  /** Discards everything read so far. */
  abandon(): void {
    this.#first.abandon?.();
    for (const reader of this.#others) reader.abandon?.();
  }

  #createReader({ main, plannedCount }: Segment): ResultReader {
    if (this.#script.arriving !== undefined && main.delivery.kind === 'value') return new SummedReader();
    return createReader(main.delivery, this, plannedCount !== undefined);
  }

  #readerOf({ segment }: ScriptStep): ResultReader | undefined {
    return segment === 0 ? this.#first : this.#others[segment - 1];
  }

  #requestOf({ segment }: ScriptStep): number | undefined {
    return this.#script.segments[segment]?.request;
  }

  #complete(result: ScriptResult, segment: number): ScriptResult {
    if ((this.#afterCommit === undefined && this.#settings.length === 0) || result.kind !== 'outcome') return result;
    const outcome = this.#addSettings(result.outcome, segment);
    const afterCommit = this.#afterCommit;
    return { kind: 'outcome', outcome: afterCommit === undefined ? outcome : { ...outcome, afterCommit } };
  }

  #addSettings(outcome: DbOutcome, segment: number): DbOutcome {
    // A continued segment has the settings of the one before it.
    const settings = this.#settings.findLast(({ segment: from }) => from <= segment);
    if (settings === undefined) return outcome;
    const { settingHeaders = settings.headers, settingStatus = settings.status } = outcome;
    return { ...outcome, settingHeaders, settingStatus };
  }
}

interface ResponseSettings {
  /** The segment that has set them. */
  readonly segment: number;
  readonly headers: string | undefined;
  readonly status: string | undefined;
}

/** A response that has started before its transaction is over, and the source of its body. */
class EarlyAnswer implements StreamSource {
  readonly body: StreamedBody;
  readonly result: ScriptResult;
  readonly #lease: Lease;
  #isOver = false;

  constructor(lease: Lease, outcome: DbOutcome, start: StreamStart) {
    this.#lease = lease;
    this.body = new StreamedBody(this, start, lease.memory.reserve());
    this.result = { kind: 'outcome', outcome: { ...outcome, body: this.body } };
  }

  pause(): void {
    if (!this.#isOver) this.#lease.session.pause();
  }

  resume(): void {
    if (!this.#isOver) this.#lease.session.resume();
  }

  cancel(): void {
    if (!this.#isOver) this.#lease.stop();
  }

  end(failure: ApiError | undefined): void {
    this.body.finish(failure);
    this.#isOver = true;
  }
}

/** Counts the bytes of the rows that a script holds until its transaction is over. */
class ResultBudget {
  readonly #limit: ResultLimit;
  readonly #host: ReadingHost;
  #used = 0;
  #isExceeded = false;

  constructor(limit: ResultLimit, host: ReadingHost) {
    this.#limit = limit;
    this.#host = host;
  }

  /**
   * @param size in bytes
   * @param request index of the request in its batch
   */
  isExceededBy(size: number, request: number | undefined): boolean {
    if (this.#isExceeded) return true;
    const total = this.#used + size;
    if (total <= this.#limit.bytes && this.#limit.reserve?.(total) !== false) return false;
    this.#isExceeded = true;
    this.#host.overflow(this.#limit.exceededBy(request));
    return true;
  }

  add(size: number): void {
    this.#used += size;
  }
}
