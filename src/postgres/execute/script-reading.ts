// Passes the rows of each segment of a script to its reader and combines the results when the transaction is over.
import { fail, ok } from '../../contract/result.ts';
import type { LogPosition } from '../../contract/log-position.ts';
import type { ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { FallbackStatements } from './fallback-statements.ts';
import type { Lease } from './lease.ts';
import { readLogEnd } from './position-statements.ts';
import { createReader } from '../results/create-reader.ts';
import type { ReaderOptions, ResultReader } from '../results/result-reader.ts';
import { ResultBudget } from './result-budget.ts';
import { SummedReader } from '../results/summed-reader.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import { EarlyAnswer } from '../stream/early-answer.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { readColumns, readCommandTag, readInsertedRows } from '../wire/read-message.ts';
import type { ScriptStep } from './build-step.ts';

export interface ReadingEvents extends Pick<ReaderOptions, 'onFault' | 'onOverflow'> {
  /** Stops the script because nobody reads the rest of the response. */
  readonly stop: () => void;
  /** Called if the response starts before the transaction is over. */
  readonly onAnswer: (reply: ScriptReply) => void;
  /** Called with the execution plan of a batch of rows, in JSON. */
  readonly onEstimate: (plan: string) => void;
}

const DISCARD = (): void => undefined;

export class ScriptReading {
  readonly #script: TransactionScript;
  readonly #answer: EarlyAnswer;
  readonly #readers: readonly ResultReader[];
  readonly #budget: ResultBudget | undefined;
  readonly #onEstimate: (plan: string) => void;
  #position: LogPosition | undefined;

  constructor(script: TransactionScript, lease: Lease, events: ReadingEvents) {
    const { stop, onAnswer, onFault, onOverflow, onEstimate } = events;
    this.#onEstimate = onEstimate;
    this.#script = script;
    this.#budget = script.resultLimit && new ResultBudget(script.resultLimit, onOverflow);
    // A response with several results starts only when all are known.
    const mayStream = script.mayStream && script.segments.length === 1;
    this.#answer = new EarlyAnswer({
      session: lease.session,
      permit: lease.permit,
      mayStream,
      stop,
      onAnswer,
    });
    const answer = this.#answer;
    const { memory } = lease.permit;
    this.#readers = script.segments.map(({ main, plannedCount }) => {
      if (script.arriving !== undefined && main.delivery.kind === 'value') return new SummedReader();
      const hasPlannedCount = plannedCount !== undefined;
      return createReader(main.delivery, { answer, memory, onFault, onOverflow, hasPlannedCount });
    });
  }

  /** The result delivered before the end of the transaction. */
  get delivered(): ScriptResult | undefined {
    return this.#answer.delivered;
  }

  nameColumns(step: ScriptStep, message: ServerMessage): boolean {
    return step.role !== 'main' || this.#readers[step.segment]?.nameColumns?.(message) !== false;
  }

  /** @returns whether the row is well-formed */
  addRow(step: ScriptStep, message: ServerMessage): boolean {
    const reader = this.#readers[step.segment];
    const size = message.end - message.start;
    if (!this.#admits(step, size)) return true;
    this.#budget?.add(size);
    if (step.role === 'main') return reader?.addRow(message) !== false;
    if (step.role !== 'plannedCount' && step.role !== 'position' && step.role !== 'estimate') return true;
    const columns = readColumns(message);
    if (columns === undefined) return false;
    if (step.role === 'plannedCount') reader?.addPlan?.(columns);
    else if (step.role === 'estimate') this.#onEstimate(columns[0]?.toString() ?? '');
    else this.#position = readLogEnd(columns);
    return true;
  }

  takeLong(step: ScriptStep | undefined, size: number): ((piece: Buffer) => void) | undefined {
    if (step?.role !== 'main') return undefined;
    if (!this.#admits(step, size)) return DISCARD;
    const take = this.#readers[step.segment]?.takeLong?.(size);
    if (take !== undefined) this.#budget?.add(size);
    return take;
  }

  provideBuffer(step: ScriptStep | undefined, remaining: number): Buffer | undefined {
    return step?.role === 'main' ? this.#readers[step.segment]?.provideBuffer?.(remaining) : undefined;
  }

  /** Call when a statement is complete. */
  complete(step: ScriptStep, message: ServerMessage): void {
    const reader = this.#readers[step.segment];
    if (step.role === 'main') reader?.end?.();
    else if (step.role === 'insertion' && reader instanceof SummedReader)
      reader.addInserted(readInsertedRows(readCommandTag(message)));
  }

  /** Returns the script to run instead if a single-row result turned out to be long or to have several rows. */
  replaceScript(fallbacks: FallbackStatements): TransactionScript | undefined {
    if (!this.#readers.some((reader) => reader.needsFallback === true)) return undefined;
    const [first, ...others] = this.#script.segments.map((segment, index) =>
      this.#readers[index]?.needsFallback === true ? { ...segment, main: fallbacks.note(segment.main) } : segment,
    );
    return first && { ...this.#script, segments: [first, ...others] };
  }

  /** Returns the results of all segments. Call only if nothing has failed. */
  read(): ScriptReply {
    const results: ScriptResult[] = [];
    for (const { result } of this.#readers) {
      if (!result.ok) return result;
      results.push(this.#withPosition(result.value));
    }
    const [first, ...others] = results;
    return first === undefined ? fail({ kind: 'undecodableResult', details: 'no result' }) : ok([first, ...others]);
  }

  /** Call when the transaction is over. */
  end(failure: ApiError | undefined): ScriptReply {
    this.#answer.end(failure);
    if (failure === undefined) return this.delivered === undefined ? this.read() : ok([this.delivered]);
    this.abandon();
    return fail(failure);
  }

  /** Discards everything read so far. */
  abandon(): void {
    for (const reader of this.#readers) reader.abandon?.();
  }

  #admits(step: ScriptStep, size: number): boolean {
    return this.#budget?.admits(size, this.#script.segments[step.segment]?.request) !== false;
  }

  #withPosition(result: ScriptResult): ScriptResult {
    if (this.#position === undefined || result.kind !== 'outcome') return result;
    return { kind: 'outcome', outcome: { ...result.outcome, position: this.#position } };
  }
}
