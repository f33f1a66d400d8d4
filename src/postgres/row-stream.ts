// In: the rows of a statement that gives a line each. Out: a body, whole where it is short; otherwise one that goes on
// while the statement runs, given out when the first 64 kB are there, so that an error before that still has its status.
import type { DbOutcome } from '../contract/transaction.ts';
import { LineBuffer } from './line-buffer.ts';
import { readPlanRows } from './read-outcome.ts';
import type { StreamedBody } from './streamed-body.ts';
import type { ServerMessage } from './wire/decoder.ts';
import { type ColumnValue, NULL, readColumnBounds } from './wire/read-message.ts';
import { RowParts } from './wire/row-parts.ts';

/** Bytes that are kept back until it is known whether there are more. */
const HEAD_SIZE = 64 * 1024;
const COLUMNS = 4;
const NOTHING: Buffer = Buffer.alloc(0);
const ROOM_SIZE = 64 * 1024;
/** Where the bounds of the last column are. */
const LINE = 2 * (COLUMNS - 1);

/** Gives the answer out. */
type Open = (outcome: DbOutcome, begin: readonly Uint8Array[]) => StreamedBody;

export class RowStream {
  readonly #open: Open;
  readonly #onFault: () => void;
  readonly #lines = new LineBuffer((piece) => this.#take(piece));
  readonly #bounds: number[] = [];
  #begin: Uint8Array[] = [];
  #beginSize = 0;
  #head: readonly (string | undefined)[] = [];
  #plannedTotal: number | undefined;
  #body: StreamedBody | undefined;
  #room: Buffer | undefined;
  #isFlushing = false;

  /** @param onFault a row contradicts its own lengths, or has other columns */
  constructor(open: Open, onFault: () => void) {
    this.#open = open;
    this.#onFault = onFault;
  }

  addRow(message: ServerMessage): void {
    const bounds = this.#bounds;
    if (!readColumnBounds(message, bounds) || bounds.length !== 2 * COLUMNS) return this.#onFault();
    if (this.#body === undefined) this.#head = readTexts(message.bytes, bounds);
    const from = bounds[LINE] ?? NULL;
    if (from === NULL || this.#body?.isCancelled === true) return;
    this.#lines.add(message.bytes, from, bounds[LINE + 1] ?? from);
    this.#scheduleFlush();
  }

  /** @returns what takes the bytes of a long row as they come */
  takeLong(size: number): (piece: Buffer) => void {
    const parts = new RowParts(size, {
      onHead: (columns) => {
        if (columns.length !== COLUMNS - 1) return this.#onFault();
        if (this.#body === undefined) this.#head = columns.map((column) => column?.toString('utf8'));
        this.#lines.flush();
      },
      onPiece: (piece) => {
        this.#lines.addPart(piece, 0, piece.length);
        this.#lines.flush();
      },
      onEnd: () => {
        this.#lines.add(NOTHING, 0, 0);
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
    this.#body = this.#open(this.#describe(undefined), this.#begin);
    this.#body.onRelease = (piece) => this.#lines.release(piece);
    this.#room = Buffer.allocUnsafeSlow(ROOM_SIZE);
    this.#begin = [];
  }

  #describe(body: DbOutcome['body']): DbOutcome {
    const [total, settingHeaders, settingStatus] = this.#head;
    return {
      body,
      pageRows: undefined,
      total: total === undefined ? undefined : Number(total),
      plannedTotal: this.#plannedTotal,
      settingHeaders,
      settingStatus,
      inserted: undefined,
      location: undefined,
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
