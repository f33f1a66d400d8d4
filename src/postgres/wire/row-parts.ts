// Splits the body of one long DataRow while it arrives: reports the leading columns at once, then the rest in pieces.
// https://www.postgresql.org/docs/current/protocol-message-formats.html
import type { ColumnValue } from './read-message.ts';

export interface RowPartsReceiver {
  /** Called with the complete leading columns. @param length of the rest in bytes */
  onHead(columns: readonly ColumnValue[], length: number): void;
  onPiece(piece: Buffer): void;
  onEnd(): void;
  /** The lengths inside the row contradict the length of the message. */
  onFault(): void;
}

interface Head {
  readonly columns: readonly ColumnValue[];
  /** Start of the rest: the value of the last column, or the lengths and values of the columns that do not lead. */
  readonly start: number;
  /** The length of the last column; undefined if the rest is not its value. */
  readonly length: number | undefined;
}

export class RowParts {
  readonly #size: number;
  readonly #leading: number | undefined;
  readonly #receiver: RowPartsReceiver;
  #begin: Buffer = Buffer.alloc(0);
  #hasStarted = false;
  #remaining: number;

  /**
   * @param size of the message body in bytes
   * @param leading number of leading columns; undefined: all but the last
   */
  constructor(size: number, leading: number | undefined, receiver: RowPartsReceiver) {
    this.#size = size;
    this.#leading = leading;
    this.#remaining = size;
    this.#receiver = receiver;
  }

  add(piece: Buffer): void {
    this.#remaining -= piece.length;
    if (this.#hasStarted) this.#receiver.onPiece(piece);
    else this.#addToBegin(piece);
    if (this.#remaining > 0) return;
    if (this.#hasStarted) this.#receiver.onEnd();
    else this.#receiver.onFault();
  }

  #addToBegin(piece: Buffer): void {
    this.#begin = Buffer.concat([this.#begin, piece]);
    const head = readHead(this.#begin, this.#leading);
    const rest = this.#size - (head?.start ?? 0);
    // Either more leading columns are still to come, or the message has the wrong length.
    if (head === undefined || rest !== (head.length ?? rest)) return;
    this.#hasStarted = true;
    this.#receiver.onHead(head.columns, rest);
    if (this.#begin.length > head.start) this.#receiver.onPiece(this.#begin.subarray(head.start));
  }
}

/** Returns undefined until the head is complete. */
function readHead(bytes: Buffer, leading: number | undefined): Head | undefined {
  if (bytes.length < 2) return undefined;
  const columns: ColumnValue[] = [];
  let offset = 2;
  const count = bytes.readUInt16BE(0);
  while (columns.length !== leading) {
    if (offset + 4 > bytes.length) return undefined;
    const length = bytes.readInt32BE(offset);
    offset += 4;
    if (columns.length >= count - 1 && leading === undefined) return { columns, start: offset, length };
    if (offset + length > bytes.length) return undefined;
    columns.push(length < 0 ? null : bytes.subarray(offset, offset + length));
    offset += Math.max(0, length);
  }
  return { columns, start: offset, length: undefined };
}
