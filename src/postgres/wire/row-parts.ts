// In: the body of one long DataRow as it comes. Out: its columns before the last, whole, then the last one piece by piece.
// https://www.postgresql.org/docs/current/protocol-message-formats.html
import type { ColumnValue } from './read-message.ts';

export interface RowPartsReceiver {
  /** @param length of the last column in bytes */
  onHead(columns: readonly ColumnValue[], length: number): void;
  onPiece(piece: Buffer): void;
  onEnd(): void;
  /** The lengths contradict the message's. */
  onFault(): void;
}

interface Head {
  readonly columns: readonly ColumnValue[];
  /** Of the last column. */
  readonly start: number;
  readonly length: number;
}

export class RowParts {
  readonly #size: number;
  readonly #receiver: RowPartsReceiver;
  #begin: Buffer = Buffer.alloc(0);
  #isBegun = false;
  #left: number;

  /** @param size of the message's body */
  constructor(size: number, receiver: RowPartsReceiver) {
    this.#size = size;
    this.#left = size;
    this.#receiver = receiver;
  }

  add(piece: Buffer): void {
    this.#left -= piece.length;
    if (this.#isBegun) this.#receiver.onPiece(piece);
    else this.#addToBegin(piece);
    if (this.#left > 0) return;
    if (this.#isBegun) this.#receiver.onEnd();
    else this.#receiver.onFault();
  }

  #addToBegin(piece: Buffer): void {
    this.#begin = Buffer.concat([this.#begin, piece]);
    const head = readHead(this.#begin);
    // The rest of another row's columns is still to come, or this one is none.
    if (head === undefined || head.start + head.length !== this.#size) return;
    this.#isBegun = true;
    this.#receiver.onHead(head.columns, head.length);
    if (this.#begin.length > head.start) this.#receiver.onPiece(this.#begin.subarray(head.start));
  }
}

/** Undefined while a part of it is missing. */
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
