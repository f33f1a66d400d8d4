// Reads the values of a DataRow message on demand. A large result costs little while it arrives, and its reader decides
// when to decode.
// https://www.postgresql.org/docs/current/protocol-message-formats.html
import type { ServerMessage } from './decoder.ts';

type RowMessage = Pick<ServerMessage, 'bytes' | 'start' | 'end'>;

/** Size of the column count in bytes. */
const COUNT_SIZE = 2;

export class ReceivedRow {
  readonly #bytes: Buffer;
  /** Start of the values, after the column count. */
  readonly #start: number;
  readonly #end: number;
  readonly #count: number;

  private constructor({ bytes, start, end }: RowMessage, count: number) {
    this.#bytes = bytes;
    this.#start = start + COUNT_SIZE;
    this.#end = end;
    this.#count = count;
  }

  /** Returns `undefined` if the lengths inside the row contradict the length of the message. */
  static read(message: RowMessage): ReceivedRow | undefined {
    const { bytes, start, end } = message;
    if (end - start < COUNT_SIZE) return undefined;
    const count = bytes.readUInt16BE(start);
    let offset = start + COUNT_SIZE;
    for (let index = 0; index < count; index += 1) {
      if (offset + 4 > end) return undefined;
      const length = bytes.readInt32BE(offset);
      if (length < -1) return undefined;
      offset += 4 + Math.max(0, length);
    }
    return offset === end ? new ReceivedRow(message, count) : undefined;
  }

  /** Returns the message body that was passed to `read`, so that it can be read again elsewhere. */
  get body(): Buffer {
    return this.#bytes.subarray(this.#start - COUNT_SIZE, this.#end);
  }

  /** Returns null for SQL null and undefined beyond the last column. */
  at(index: number): string | null | undefined {
    if (index >= this.#count) return undefined;
    let offset = this.#start;
    for (let skipped = 0; skipped < index; skipped += 1) offset += 4 + Math.max(0, this.#bytes.readInt32BE(offset));
    const length = this.#bytes.readInt32BE(offset);
    return length === -1 ? null : this.#bytes.toString('utf8', offset + 4, offset + 4 + length);
  }

  decode(): (string | null)[] {
    return Array.from({ length: this.#count }, (_, index) => this.at(index) ?? null);
  }
}
