// Reads the single row of a statement into an outcome. The body of a read is streamed if it is long; if no connection
// can be spared, it is buffered in the shared memory.
import { fail, type Result } from '../../contract/result.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { DbOutcome, ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { BufferedBody, BUFFER_FULL } from '../stream/buffered-body.ts';
import { RowParts } from '../wire/row-parts.ts';
import type { StreamedBody } from '../stream/streamed-body.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { type ColumnValue, readColumns } from '../wire/read-message.ts';
import { readOutcomeRows } from './read-outcome.ts';
import type { ReaderHost, ResultReader } from './result-reader.ts';
import { ChunkMemory } from '../stream/chunk-memory.ts';

/** Minimum size of streamed rows. */
export const MIN_STREAMED_BYTES: number = 1024 * 1024;

export class ValueReader implements ResultReader {
  readonly #delivery: Extract<Delivery, { kind: 'value' }>;
  readonly #host: ReaderHost;
  readonly #hasPlannedCount: boolean;
  readonly #rows: ColumnValue[][] = [];
  #plan: readonly ColumnValue[] | undefined;
  #memory: ValueMemory | undefined;
  #buffered: BufferedBody | undefined;

  constructor(delivery: Extract<Delivery, { kind: 'value' }>, host: ReaderHost, hasPlannedCount: boolean) {
    this.#delivery = delivery;
    this.#host = host;
    this.#hasPlannedCount = hasPlannedCount;
  }

  addRow(message: ServerMessage): boolean {
    const columns = readColumns(message);
    if (columns !== undefined) this.#rows.push(columns);
    return columns !== undefined;
  }

  addPlan(columns: readonly ColumnValue[]): void {
    this.#plan = columns;
  }

  takeLong(size: number): ((piece: Buffer) => void) | undefined {
    if (!this.#host.mayStream || size < MIN_STREAMED_BYTES || this.#rows.length > 0) return undefined;
    if (!this.#hasPlannedCount && this.#host.tryAcquirePermit()) {
      const { encoding } = this.#delivery;
      const memory = (this.#memory = new ValueMemory());
      const open: Parameters<typeof streamValue>[0]['open'] = (outcome, length) =>
        this.#host.startAnswer(outcome, { pieces: [], byteLength: length, expectedLength: length });
      return streamValue({ encoding, size, memory, open, onFault: () => this.#host.refuseRow() });
    }
    this.#buffered = new BufferedBody(this.#host.memory);
    if (this.#buffered.reserve(size)) return undefined;
    this.#host.overflow(BUFFER_FULL);
    return () => undefined;
  }

  provideBuffer(remaining: number): Buffer | undefined {
    return remaining > 0 ? this.#memory?.offer(remaining) : undefined;
  }

  abandon(): void {
    this.#buffered?.release();
  }

  get result(): Result<ScriptResult, ApiError> {
    if (this.#buffered?.hasOverflowed === true) return fail(BUFFER_FULL);
    const rows = { main: this.#rows, plan: this.#plan };
    const read = readOutcomeRows(rows, { encoding: this.#delivery.encoding, hasPlan: this.#hasPlannedCount });
    if (!read.ok || this.#buffered === undefined) return read;
    const { body } = read.value.outcome;
    if (!(body instanceof Uint8Array)) return read;
    return {
      ok: true,
      value: { kind: 'outcome', outcome: { ...read.value.outcome, body: this.#buffered.toBody([body]) } },
    };
  }
}

interface ValueStreamOptions {
  /** Encoding of every column. */
  readonly encoding: 'text' | 'binary';
  /** Size of the row in bytes. */
  readonly size: number;
  readonly memory: ValueMemory;
  /** Starts the response; returns undefined if streaming is no longer possible. */
  readonly open: (outcome: DbOutcome, byteLength: number) => StreamedBody | undefined;
  readonly onFault: () => void;
}

/**
 * Streams a single long row: the columns before the body form the head of the outcome, the body follows in pieces.
 *
 * @returns a callback that takes the bytes of the row
 */
function streamValue({ encoding, size, memory, open, onFault }: ValueStreamOptions): (piece: Buffer) => void {
  let body: StreamedBody | undefined;
  const parts = new RowParts(size, undefined, {
    onHead: (columns, length) => {
      const head = readOutcomeRows({ main: [[...columns, null]], plan: undefined }, { encoding, hasPlan: false });
      if (head.ok) body = open(head.value.outcome, length);
      if (body === undefined) return onFault();
      body.onRelease = (piece) => memory.release(piece);
    },
    onPiece: (piece) => {
      memory.retain(piece);
      body?.add(piece);
    },
    onEnd: () => undefined,
    onFault,
  });
  return (piece) => parts.add(piece);
}

/** With less free space, the next read gets another chunk. */
const MIN_SPACE = 8 * 1024;

class ValueMemory {
  readonly #memory = new ChunkMemory();
  #bytes: Buffer = Buffer.alloc(0);
  #used = 0;

  /** @param remaining bytes of the value that are missing: nothing else may be read into this buffer */
  offer(remaining: number): Buffer {
    if (this.#bytes.length - this.#used < MIN_SPACE) {
      this.#bytes = this.#memory.renew();
      this.#used = 0;
    }
    return this.#bytes.subarray(this.#used, this.#used + remaining);
  }

  /** Call with each piece that was read, into this memory or elsewhere, before it is passed on. */
  retain(piece: Uint8Array): void {
    if (piece.buffer !== this.#bytes.buffer) return;
    this.#used += piece.length;
    this.#memory.retain(piece);
  }

  /** Releases a piece that is no longer in use. */
  release(piece: Uint8Array): void {
    this.#memory.release(piece);
  }
}
