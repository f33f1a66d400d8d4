// In: the rows of a statement that gives a line each. Out: a body, whole where it is short; otherwise one that goes on
// while the statement runs, given out when the first 64 kB are there, so that an error before that still has its status.
import { fail, ok, type Result } from '../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import { LineBuffer } from './line-buffer.ts';
import { readPlanRows } from './read-outcome.ts';
import { StreamedBody, type StreamSource } from './streamed-body.ts';
import type { ServerMessage } from './wire/decoder.ts';
import { type ColumnValue, NULL, readColumnBounds } from './wire/read-message.ts';

/** Whom a stream tells of itself after it has begun. */
export interface StreamObserver {
  /** The answer may begin. */
  onOpen(result: ScriptResult): void;
  /** The rest of the body does not come. */
  onBroken(error: ApiError): void;
}

/** Bytes that are kept back until it is known whether there are more. */
const HEAD_SIZE = 64 * 1024;
const COLUMNS = 4;
/** Where the bounds of the last column are. */
const LINE = 2 * (COLUMNS - 1);

export class RowStream {
  readonly #source: StreamSource;
  readonly #observer: StreamObserver;
  readonly #lines = new LineBuffer((piece) => this.#take(piece));
  readonly #bounds: number[] = [];
  #begin: Uint8Array[] = [];
  #beginSize = 0;
  #head: readonly (string | undefined)[] = [];
  #plannedTotal: number | undefined;
  #body: StreamedBody | undefined;
  #isFlushing = false;

  constructor(source: StreamSource, observer: StreamObserver) {
    this.#source = source;
    this.#observer = observer;
  }

  /** The answer has begun: nothing of it can be taken back. */
  get isOpen(): boolean {
    return this.#body !== undefined;
  }

  /** @returns false for a row that contradicts its own lengths, or has other columns */
  addRow(message: ServerMessage): boolean {
    const bounds = this.#bounds;
    if (!readColumnBounds(message, bounds) || bounds.length !== 2 * COLUMNS) return false;
    if (this.#body === undefined) this.#head = readTexts(message.bytes, bounds);
    const from = bounds[LINE] ?? NULL;
    if (from === NULL || this.#body?.isCancelled === true) return true;
    this.#lines.add(message.bytes, from, bounds[LINE + 1] ?? from);
    this.#scheduleFlush();
    return true;
  }

  addPlan([column]: readonly (ColumnValue | undefined)[]): void {
    this.#plannedTotal = readPlanRows(column);
  }

  /** The cancellation of the request. */
  cancel(): void {
    if (this.#body === undefined) this.#source.cancel();
    else this.#body.cancel();
  }

  /** Nothing of a first try counts in the second. */
  clear(): void {
    this.#lines.clear();
    this.#begin = [];
    this.#beginSize = 0;
    this.#head = [];
  }

  /** The transaction is over. @returns its result, unless a body has been given out before */
  end(failure: ApiError | undefined): Result<ScriptResult, ApiError> {
    this.#lines.flush();
    if (this.#body === undefined) {
      if (failure !== undefined) return fail(failure);
      return ok(this.#describe(Buffer.concat(this.#begin)));
    }
    if (failure !== undefined && !this.#body.isCancelled) this.#observer.onBroken(failure);
    this.#body.finish(failure === undefined ? 'whole' : 'broken');
    return ok(this.#describe(this.#body));
  }

  /** What has come together goes on together, when all of it has been read. */
  #scheduleFlush(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#lines.flush();
    });
  }

  #take(piece: Uint8Array): void {
    if (this.#body !== undefined) return this.#body.add(piece);
    this.#begin.push(piece);
    this.#beginSize += piece.length;
    if (this.#beginSize < HEAD_SIZE) return;
    this.#body = new StreamedBody(this.#source, this.#begin);
    this.#begin = [];
    this.#observer.onOpen(this.#describe(this.#body));
  }

  #describe(body: DbOutcome['body']): ScriptResult {
    const [total, settingHeaders, settingStatus] = this.#head;
    return {
      kind: 'outcome',
      outcome: {
        body,
        pageRows: undefined,
        total: total === undefined ? undefined : Number(total),
        plannedTotal: this.#plannedTotal,
        settingHeaders,
        settingStatus,
        inserted: undefined,
        location: undefined,
      },
    };
  }
}

/** The columns before the line. */
function readTexts(bytes: Buffer, bounds: readonly number[]): readonly (string | undefined)[] {
  return Array.from({ length: COLUMNS - 1 }, (_, index) => {
    const from = bounds[2 * index] ?? NULL;
    return from === NULL ? undefined : bytes.toString('utf8', from, bounds[2 * index + 1]);
  });
}
