// In: the rows of a statement that gives a line or another piece each. Out: a body, whole where it is short; otherwise one
// that goes on while the rows come, given out when the first 64 kB are there, so that an error before that still has its
// status.
import type { DbOutcome } from '../contract/transaction.ts';
import { LineBuffer } from './line-buffer.ts';
import { readPlanRows } from './read-outcome.ts';
import type { StreamedBody } from './streamed-body.ts';
import type { ServerMessage } from './wire/decoder.ts';
import { type ColumnValue, NULL, readColumnBounds } from './wire/read-message.ts';
import { RowParts } from './wire/row-parts.ts';

/** Bytes that are kept back until it is known whether there are more. */
const HEAD_SIZE = 64 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);
const ROOM_SIZE = 64 * 1024;
/** Columns before the line or the piece. */
const HEAD_COLUMNS = { stream: 3, pieces: 5 } as const;

export interface RowStreamOptions {
  /** Of the statement. */
  readonly result: 'stream' | 'pieces';
  /** Gives the answer out, of which all bytes may be known; undefined: it is to be given whole. */
  readonly open: (
    outcome: DbOutcome,
    begin: readonly Uint8Array[],
    byteLength: number | undefined,
  ) => StreamedBody | undefined;
  /** A row contradicts its own lengths, or has other columns. */
  readonly onFault: () => void;
}

export class RowStream {
  readonly #open: RowStreamOptions['open'];
  readonly #onFault: () => void;
  readonly #headColumns: number;
  /** The rows are lines without their ends. */
  readonly #isOfLines: boolean;
  readonly #lines = new LineBuffer((piece) => this.#take(piece));
  readonly #bounds: number[] = [];
  #begin: Uint8Array[] = [];
  #beginSize = 0;
  #head: readonly (string | undefined)[] = [];
  #plannedTotal: number | undefined;
  #body: StreamedBody | undefined;
  #room: Buffer | undefined;
  #isFlushing = false;
  #isKept = false;

  constructor({ result, open, onFault }: RowStreamOptions) {
    this.#open = open;
    this.#onFault = onFault;
    this.#headColumns = HEAD_COLUMNS[result];
    this.#isOfLines = result === 'stream';
  }

  addRow(message: ServerMessage): void {
    const bounds = this.#bounds;
    const last = 2 * this.#headColumns;
    if (!readColumnBounds(message, bounds) || bounds.length !== last + 2) return this.#onFault();
    if (this.#isHeadWanted) this.#head = readTexts(message.bytes, bounds, this.#headColumns);
    const from = bounds[last] ?? NULL;
    if (from === NULL || this.#body?.isCancelled === true) return;
    const end = bounds[last + 1] ?? from;
    if (this.#isOfLines) this.#lines.add(message.bytes, from, end);
    else this.#lines.addPart(message.bytes, from, end);
    this.#scheduleFlush();
  }

  /** @returns what takes the bytes of a long row as they come */
  takeLong(size: number): (piece: Buffer) => void {
    const parts = new RowParts(size, {
      onHead: (columns) => {
        if (columns.length !== this.#headColumns) return this.#onFault();
        if (this.#isHeadWanted) this.#head = columns.map((column) => column?.toString('utf8'));
        this.#lines.flush();
      },
      onPiece: (piece) => {
        this.#lines.addPart(piece, 0, piece.length);
        this.#lines.flush();
      },
      onEnd: () => {
        if (this.#isOfLines) this.#lines.add(NOTHING, 0, 0);
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
    this.#begin = [];
    this.#beginSize = 0;
    this.#head = [];
    this.#isKept = false;
  }

  /** The last row has come. */
  end(): void {
    this.#lines.flush();
  }

  /** Where rows may be read one over the other, since all lines are copied; undefined before there are many. */
  get room(): Buffer | undefined {
    return this.#room;
  }

  /** Of an answer that has not been given out. */
  get outcome(): DbOutcome {
    return this.#describe(Buffer.concat(this.#begin));
  }

  /** With each line it may change, until it has been given out. */
  get #isHeadWanted(): boolean {
    return this.#body === undefined && (this.#isOfLines || this.#head.length === 0);
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
    if (this.#beginSize < HEAD_SIZE || this.#isKept) return;
    this.#body = this.#open(this.#describe(undefined), this.#begin, readNumber(this.#head[4]));
    this.#isKept = this.#body === undefined;
    if (this.#body === undefined) return;
    this.#body.onRelease = (piece) => this.#lines.release(piece);
    this.#room = Buffer.allocUnsafeSlow(ROOM_SIZE);
    this.#begin = [];
  }

  #describe(body: DbOutcome['body']): DbOutcome {
    const [total, settingHeaders, settingStatus, pageRows] = this.#head;
    return {
      body,
      pageRows: readNumber(pageRows),
      total: readNumber(total),
      plannedTotal: this.#plannedTotal,
      settingHeaders,
      settingStatus,
      inserted: undefined,
      location: undefined,
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
