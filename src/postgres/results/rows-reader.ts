// Builds the body from the rows of a statement. A short body is returned whole; a long one is streamed. Streaming
// starts only after all received bytes have been read, so that an error among them still sets the status. If no
// connection can be spared for streaming, the body is buffered until the transaction is over.
import type { RowsDelivery } from '../../contract/delivery.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import type { ColumnValue } from '../wire/read-message.ts';
import { RowParts } from '../wire/row-parts.ts';
import { BufferedBody, BUFFER_FULL } from '../stream/buffered-body.ts';
import type { StreamedBody } from '../stream/streamed-body.ts';
import { LineBuffer } from './line-buffer.ts';
import { readPlanRows } from '../../sql/explain.ts';
import type { ReaderHost, ResultReader } from './result-reader.ts';
import { RowHead } from './row-head.ts';
import { createArrayWriter } from './array-writer.ts';
import { createCsvWriter } from './csv-writer.ts';
import { createNdjsonWriter } from './ndjson-writer.ts';
import { createObjectsWriter } from './objects-writer.ts';
import type { RowWriter } from './row-writer.ts';
import { MIN_STREAMED_BYTES } from './value-reader.ts';

const HEAD_SIZE = 64 * 1024;
/** Bodies with counted rows have a Content-Length unless they are streamed. */
const COUNTED_HEAD_SIZE = 512 * 1024;
const UNSPELLED: ApiError = {
  kind: 'undecodableResult',
  details: 'A date is not in the style of the rows before it',
};
/** Shared read buffer of all responses: rows are copied from it before the next read. */
const READ_BUFFER: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * What happens to the pieces: wait for more, stream, buffer to the end in the shared memory (and discard if it runs
 * out), or hold without limit.
 */
type Outlet =
  | { readonly kind: 'undecided' }
  | { readonly kind: 'streamed'; readonly body: StreamedBody }
  | { readonly kind: 'buffered'; readonly buffered: BufferedBody }
  | { readonly kind: 'unlimited' };

export class RowsReader implements ResultReader {
  readonly #host: ReaderHost;
  readonly #lines = new LineBuffer((piece) => this.#take(piece));
  readonly #writer: RowWriter;
  readonly #head: RowHead;
  /** Bytes to buffer before streaming starts. */
  readonly #headSize: number;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #rowCount = 0;
  #plannedTotal: number | undefined;
  #outlet: Outlet = { kind: 'undecided' };
  #isScheduled = false;
  /** Whether it is too late to start streaming. */
  #isOver = false;
  #hasGivenUp = false;

  constructor(delivery: RowsDelivery, host: ReaderHost) {
    this.#host = host;
    this.#writer = createRowWriter(delivery, this.#lines);
    this.#head = new RowHead(this.#writer);
    this.#headSize = headSizeOf(delivery);
  }

  nameColumns(message: ServerMessage): boolean {
    return this.#writer.describe(message);
  }

  addRow(message: ServerMessage): boolean {
    if (this.#outlet.kind !== 'streamed' && !this.#head.note(message)) return false;
    if (this.#isDiscarding) return true;
    const added = this.#writer.add(message);
    if (added === 'malformed') return false;
    if (added === 'unspelled') this.#giveUp();
    this.#rowCount += 1;
    if (!this.#writer.isCounted) this.#schedule();
    return true;
  }

  takeLong(size: number): ((piece: Buffer) => void) | undefined {
    const { parts: writer } = this.#writer;
    if (writer === undefined) return undefined;
    const host = this.#host;
    const parts = new RowParts(size, writer.leading, {
      onHead: (columns) => {
        if (!this.#head.take(columns)) return host.refuseRow();
        if (this.#isDiscarding) return;
        if (writer.begin(columns)) this.#lines.flush();
        else this.#giveUp();
      },
      onPiece: (piece) => {
        if (!this.#isDiscarding && !writer.add(piece)) this.#giveUp();
      },
      onEnd: () => {
        if (!this.#isDiscarding && !writer.end()) this.#giveUp();
        this.#rowCount += 1;
        this.#schedule();
      },
      onFault: () => host.refuseRow(),
    });
    return (piece) => parts.add(piece);
  }

  addPlan([column]: readonly ColumnValue[]): void {
    this.#plannedTotal = readPlanRows(column?.toString('utf8') ?? '');
  }

  end(): void {
    this.#writer.end();
    this.#lines.flush();
  }

  /** Returns the shared read buffer once the result is long, since all rows are copied. */
  provideBuffer(): Buffer | undefined {
    const isLong = this.#outlet.kind !== 'undecided' || this.#size > 0;
    return isLong && this.#host.ownsSession ? READ_BUFFER : undefined;
  }

  abandon(): void {
    this.#isOver = true;
    if (this.#outlet.kind === 'buffered') this.#outlet.buffered.release();
  }

  get result(): Result<ScriptResult, ApiError> {
    this.#isOver = true;
    const buffered = this.#outlet.kind === 'buffered' ? this.#outlet.buffered : undefined;
    if (buffered?.hasOverflowed === true) return fail(BUFFER_FULL);
    if (this.#hasGivenUp) return fail(UNSPELLED);
    const body = buffered === undefined ? this.#join() : this.#toBody(buffered);
    return ok({ kind: 'outcome', outcome: this.#describe(body) });
  }

  /** Whether a value cannot be spelled, so that the general statement has to run instead. */
  get needsFallback(): boolean {
    return this.#hasGivenUp && this.#outlet.kind !== 'streamed';
  }

  /** The client has disconnected, memory ran out, or the body cannot be completed: further rows are discarded. */
  get #isDiscarding(): boolean {
    if (this.#hasGivenUp) return true;
    const outlet = this.#outlet;
    if (outlet.kind === 'streamed') return outlet.body.isCancelled;
    return outlet.kind === 'buffered' && outlet.buffered.hasOverflowed;
  }

  /** A response that has begun cannot be repeated: only code that changes the style of dates between two rows does this. */
  #giveUp(): void {
    this.#hasGivenUp = true;
    if (this.#outlet.kind === 'streamed') return this.#host.overflow(UNSPELLED);
    this.abandon();
    this.#pieces = [];
  }

  #take(piece: Uint8Array): void {
    const outlet = this.#outlet;
    if (this.#hasGivenUp) return;
    if (outlet.kind === 'streamed') return outlet.body.add(piece);
    if (outlet.kind === 'buffered' && !this.#reserve(outlet.buffered, piece.length)) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (outlet.kind === 'undecided' && this.#isLong) this.#schedule();
  }

  get #isLong(): boolean {
    return this.#size >= this.#headSize;
  }

  /**
   * Runs after all received bytes have been read: lines that arrived together are sent together, and a long body starts
   * streaming. Counted rows are all available, so they fill whole pieces instead.
   */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.#isOver) return;
      if (!this.#writer.isCounted) this.#lines.flush();
      if (this.#outlet.kind === 'undecided' && this.#isLong) this.#begin();
    });
  }

  #begin(): void {
    const host = this.#host;
    const outcome = this.#describe(undefined);
    // The rows received so far, extrapolated, and a quarter more.
    const expectedLength =
      outcome.pageRows && Math.ceil((1.25 * this.#size * outcome.pageRows) / Math.max(1, this.#rowCount));
    const body = host.startAnswer(outcome, { pieces: this.#pieces, byteLength: undefined, expectedLength });
    if (body !== undefined) {
      body.onRelease = (piece) => this.#lines.release(piece);
      this.#outlet = { kind: 'streamed', body };
      this.#pieces = [];
      return;
    }
    // The result of a write is never rejected for lack of memory: the write has happened.
    if (!host.mayStream) {
      this.#outlet = { kind: 'unlimited' };
      return;
    }
    const buffered = new BufferedBody(host.memory);
    this.#outlet = { kind: 'buffered', buffered };
    this.#reserve(buffered, this.#size);
  }

  /** @returns whether there is memory for more bytes */
  #reserve(buffered: BufferedBody, bytes: number): boolean {
    if (buffered.hasOverflowed) return false;
    if (buffered.reserve(bytes)) return true;
    this.#pieces = [];
    this.#host.overflow(BUFFER_FULL);
    return false;
  }

  #toBody(buffered: BufferedBody): StreamedBody {
    const body = buffered.toBody(this.#pieces);
    body.onRelease = (piece) => this.#lines.release(piece);
    return body;
  }

  /** A single piece becomes the body without a copy, and is not released. */
  #join(): Uint8Array {
    const [only] = this.#pieces;
    if (only !== undefined && this.#pieces.length === 1) return only;
    const body = Buffer.concat(this.#pieces);
    for (const piece of this.#pieces) this.#lines.release(piece);
    this.#pieces = [body];
    return body;
  }

  #describe(body: DbOutcome['body']): DbOutcome {
    const head = this.#head.read();
    const { pageRows = this.#writer.isCounted && this.#isOver ? this.#rowCount : undefined } = head;
    return { ...head, pageRows, body, plannedTotal: this.#plannedTotal };
  }
}

function headSizeOf(delivery: RowsDelivery): number {
  if (delivery.kind === 'ndjson') return HEAD_SIZE;
  return delivery.format === 'objects' && !delivery.isLong ? MIN_STREAMED_BYTES : COUNTED_HEAD_SIZE;
}

function createRowWriter(delivery: RowsDelivery, lines: LineBuffer): RowWriter {
  if (delivery.kind === 'ndjson')
    return 'spelledTypes' in delivery ? createObjectsWriter(lines, delivery) : createNdjsonWriter(lines);
  switch (delivery.format) {
    case 'array':
      return createArrayWriter(lines);
    case 'csv':
      return createCsvWriter(lines);
    case 'objects':
      return createObjectsWriter(lines, delivery);
  }
}
