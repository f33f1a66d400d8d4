// In: the rows of a statement that make the body. Out: a body, whole where it is short; otherwise one that goes on while the
// rows come, given out when its first bytes are there, so that an error before that still has its status.
import type { RowsDelivery } from '../contract/delivery.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import { LineBuffer } from './line-buffer.ts';
import { readPlanRows } from './read-outcome.ts';
import type { StreamedBody } from './streamed-body.ts';
import type { ServerMessage } from './wire/decoder.ts';
import { createRowWriter, type RowWriter } from './row-writer.ts';
import { type ColumnValue, NULL, readColumnBounds, readColumnNames } from './wire/read-message.ts';
import { RowParts } from './wire/row-parts.ts';

/** Bytes that are kept back until it is known whether there are more. */
const HEAD_SIZE = 64 * 1024;
/** The same for what has a length if it is short. */
const COUNTED_HEAD_SIZE = 512 * 1024;
/** Where the rows of all answers are read, one over the other: each read is passed on before the next one. */
const ROOM: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** The first pieces of a body. */
export interface BodyBegin {
  readonly pieces: readonly Uint8Array[];
  /** Bytes of all of it, or somewhat more; undefined: not known. */
  readonly expectedLength: number | undefined;
}

export interface RowStreamOptions {
  /** Of the statement. */
  readonly delivery: RowsDelivery;
  /** Gives the answer out; undefined: it is to be given whole. */
  readonly open: (outcome: DbOutcome, begin: BodyBegin) => StreamedBody | undefined;
  /** A row contradicts its own lengths, or has other columns. */
  readonly onFault: () => void;
}

export class RowStream {
  readonly #open: RowStreamOptions['open'];
  readonly #onFault: () => void;
  readonly #lines = new LineBuffer((piece) => this.#take(piece));
  readonly #writer: RowWriter;
  readonly #bounds: number[] = [];
  #begin: Uint8Array[] = [];
  #beginSize = 0;
  #rowCount = 0;
  #head: readonly (string | undefined)[] = [];
  #plannedTotal: number | undefined;
  #body: StreamedBody | undefined;
  #isFlushing = false;
  #isKept = false;

  constructor({ delivery, open, onFault }: RowStreamOptions) {
    this.#open = open;
    this.#onFault = onFault;
    this.#writer = createRowWriter(delivery, this.#lines);
  }

  /** Of rows that are described. */
  nameColumns(message: ServerMessage): void {
    const names = readColumnNames(message);
    if (names === undefined) this.#onFault();
    else this.#writer.nameColumns(names);
  }

  addRow(message: ServerMessage): void {
    const bounds = this.#bounds;
    const { headColumns } = this.#writer;
    if (!readColumnBounds(message, bounds) || bounds.length < 2 * headColumns) return this.#onFault();
    if (this.#isHeadWanted) this.#head = readTexts(message.bytes, bounds, headColumns);
    if (this.#body?.isCancelled === true) return;
    this.#writer.add(message.bytes, bounds);
    this.#rowCount += 1;
    this.#scheduleFlush();
  }

  /** @returns what takes the bytes of a long row as they come; undefined: it is to come whole */
  takeLong(size: number): ((piece: Buffer) => void) | undefined {
    const { headColumns, parts: writer } = this.#writer;
    if (writer === undefined) return undefined;
    const parts = new RowParts(size, {
      onHead: (columns) => {
        if (columns.length !== headColumns) return this.#onFault();
        if (this.#isHeadWanted) this.#head = columns.map((column) => column?.toString('utf8'));
        writer.begin();
        this.#lines.flush();
      },
      onPiece: (piece) => {
        this.#lines.addPart(piece, 0, piece.length);
        this.#lines.flush();
      },
      onEnd: () => {
        writer.end();
        this.#scheduleFlush();
      },
      onFault: this.#onFault,
    });
    return (piece) => parts.add(piece);
  }

  addPlan([column]: readonly (ColumnValue | undefined)[]): void {
    this.#plannedTotal = readPlanRows(column);
  }

  /** Nothing of a first try counts in the second. */
  clear(): void {
    this.#lines.clear();
    this.#writer.clear();
    this.#begin = [];
    this.#beginSize = 0;
    this.#rowCount = 0;
    this.#head = [];
    this.#isKept = false;
  }

  /** The last row has come. */
  end(): void {
    this.#writer.end();
    this.#lines.flush();
  }

  /** Where rows may be read, since all of them are copied; undefined before there are many. */
  get room(): Buffer | undefined {
    return this.#body !== undefined || this.#beginSize > 0 ? ROOM : undefined;
  }

  /** Of an answer that has not been given out, behind its end. */
  get outcome(): DbOutcome {
    return this.#describe(this.#join());
  }

  /** With each line it may change, until it has been given out. */
  get #isHeadWanted(): boolean {
    return this.#body === undefined && (!this.#writer.isCounted || this.#head.length === 0);
  }

  /**
   * What has come together goes on together, when all of it has been read. Counted rows are all there, and follow each
   * other until a piece is full.
   */
  #scheduleFlush(): void {
    if (this.#isFlushing || this.#writer.isCounted) return;
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
    if (this.#beginSize < (this.#writer.isCounted ? COUNTED_HEAD_SIZE : HEAD_SIZE) || this.#isKept) return;
    const outcome = this.#describe(undefined);
    this.#body = this.#open(outcome, { pieces: this.#begin, expectedLength: this.#expectLength(outcome) });
    this.#isKept = this.#body === undefined;
    if (this.#body === undefined) return;
    this.#body.onRelease = (piece) => this.#lines.release(piece);
    this.#begin = [];
  }

  /** A quarter more than the rows that are there make likely. */
  #expectLength({ pageRows }: DbOutcome): number | undefined {
    return pageRows && Math.ceil((1.25 * this.#beginSize * pageRows) / Math.max(1, this.#rowCount));
  }

  /** A short body is one piece already, which is its own: it is not given back. */
  #join(): Uint8Array {
    const [only] = this.#begin;
    if (only !== undefined && this.#begin.length === 1) return only;
    const body = Buffer.concat(this.#begin);
    for (const piece of this.#begin) this.#lines.release(piece);
    this.#begin = [body];
    return body;
  }

  #describe(body: DbOutcome['body']): DbOutcome {
    const head = this.#writer.isCounted ? this.#head : [undefined, ...this.#head];
    const [pageRows, total, settingHeaders, settingStatus, inserted, location] = head;
    return {
      body,
      pageRows: readNumber(pageRows),
      total: readNumber(total),
      plannedTotal: this.#plannedTotal,
      settingHeaders,
      settingStatus,
      inserted: readNumber(inserted),
      location,
    };
  }
}

function readNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** The first columns. */
function readTexts(bytes: Buffer, bounds: readonly number[], count: number): readonly (string | undefined)[] {
  return Array.from({ length: count }, (_, index) => {
    const from = bounds[2 * index] ?? NULL;
    return from === NULL ? undefined : bytes.toString('utf8', from, bounds[2 * index + 1]);
  });
}
