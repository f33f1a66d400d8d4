// Splits the body of one long DataRow while it arrives: reports all columns but the last at once, then the last in
// pieces.
// https://www.postgresql.org/docs/current/protocol-message-formats.html
import type { ColumnValue } from './read-message.ts';

export interface RowPartsReceiver {
  /** Called with the complete leading columns. @param length of the last column in bytes */
  onHead(columns: readonly ColumnValue[], length: number): void;
  onPiece(piece: Buffer): void;
  onEnd(): void;
  /** The lengths inside the row contradict the length of the message. */
  onFault(): void;
}

interface Head {
  readonly columns: readonly ColumnValue[];
  /** Start of the last column. */
  readonly start: number;
  readonly length: number;
}

export class RowParts {
  readonly #size: number;
  readonly #receiver: RowPartsReceiver;
  #begin: Buffer = Buffer.alloc(0);
  #hasStarted = false;
  #remaining: number;

  /** @param size of the message body in bytes */
  constructor(size: number, receiver: RowPartsReceiver) {
    this.#size = size;
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
    const head = readHead(this.#begin);
    // Either more leading columns are still to come, or the message has the wrong length.
    if (head === undefined || head.start + head.length !== this.#size) return;
    this.#hasStarted = true;
    this.#receiver.onHead(head.columns, head.length);
    if (this.#begin.length > head.start) this.#receiver.onPiece(this.#begin.subarray(head.start));
  }
}

/** Returns undefined until the head is complete. */
function readHead(bytes: Buffer): Head | undefined {
  if (bytes.length < 2) return undefined;
  const columns: ColumnValue[] = [];
  let offset = 2;
  for (let missing = bytes.readUInt16BE(0); offset + 4 <= bytes.length; missing -= 1) {
    const length = bytes.readInt32BE(offset);
    offset += 4;
    if (missing <= 1) return { columns, start: offset, length };
    if (offset + length > bytes.length) return undefined;
    columns.push(length < 0 ? null : bytes.subarray(offset, offset + length));
    offset += Math.max(0, length);
  }
  return undefined;
}
