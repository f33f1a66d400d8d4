// In: a DataRow message. Out: its values as text, each decoded when it is asked for. So a large result costs little
// while it arrives, and its reader chooses when to do the work.
// https://www.postgresql.org/docs/current/protocol-message-formats.html
import type { ServerMessage } from './decoder.ts';

export class ReceivedRow {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #count: number;

  private constructor(bytes: Buffer, start: number, count: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#count = count;
  }

  /** `undefined`: the lengths inside the row contradict the message's length. */
  static read({ bytes, start, end }: ServerMessage): ReceivedRow | undefined {
    if (end - start < 2) return undefined;
    const count = bytes.readUInt16BE(start);
    let offset = start + 2;
    for (let index = 0; index < count; index += 1) {
      if (offset + 4 > end) return undefined;
      const length = bytes.readInt32BE(offset);
      if (length < -1) return undefined;
      offset += 4 + Math.max(0, length);
    }
    return offset === end ? new ReceivedRow(bytes, start + 2, count) : undefined;
  }

  /** Null for SQL null, undefined beyond the last column. */
  at(index: number): string | null | undefined {
    if (index >= this.#count) return undefined;
    let offset = this.#start;
    for (let skipped = 0; skipped < index; skipped += 1) offset += 4 + Math.max(0, this.#bytes.readInt32BE(offset));
    const length = this.#bytes.readInt32BE(offset);
    return length === -1 ? null : this.#bytes.toString('utf8', offset + 4, offset + 4 + length);
  }

  /** All values. */
  decode(): (string | null)[] {
    return Array.from({ length: this.#count }, (_, index) => this.at(index) ?? null);
  }
}
