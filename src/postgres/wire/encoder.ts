// Encodes the statements of one write into a single Buffer of exactly their size, so that a request costs one
// allocation and one socket write. Long values are not copied. Does not own the socket.
// Most values are short, and calling a native Buffer method costs more than writing such a value. So the encoder
// estimates an upper bound for text lengths and writes short ASCII text byte by byte.
import type { ParameterMemo, ParameterValue, Pieces } from '../../contract/transaction.ts';

/** One statement to run: Parse (if `text` is set), Bind, Describe (if `isDescribed`), Execute. */
export interface StatementCall {
  /** Prepared statement; `''` is the unnamed one. */
  readonly name: string;
  /** Sent with Parse; `undefined` if the server already knows the name. */
  readonly text: string | undefined;
  readonly parameters: readonly ParameterValue[];
  /** Set if the same parameters are sent repeatedly; none of them has long pieces. */
  readonly memo?: ParameterMemo | undefined;
  /** Format of every result column. */
  readonly resultFormat: 'text' | 'binary';
  /** Whether the server describes the result columns before the rows. */
  readonly isDescribed: boolean;
}

const PARSE = 0x50;
const BIND = 0x42;
const CLOSE = 0x43;
/** The unnamed portal. */
const DESCRIBE: Buffer = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
/** Unnamed portal, no row limit. */
const EXECUTE: Buffer = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const SYNC: Buffer = Buffer.from([0x53, 0, 0, 0, 4]);

const TEXT_FORMAT = 0;
const BINARY_FORMAT = 1;
/** Length field that marks SQL null. */
const NULL_LENGTH = -1;

/** Larger values get a separate socket write, which is cheaper than a copy. */
const SEPARATE_WRITE_BYTES = 65_536;
/** Texts up to this many characters are written byte by byte in JavaScript. */
const MAX_BYTEWISE_LENGTH = 48;
/** Bind with one text result and an empty name, and Execute. */
const FIXED_CALL_SIZE = 26;
/** Largest number of UTF-8 bytes per UTF-16 code unit. */
const MAX_UTF8_BYTES_PER_UNIT = 3;
/** Above this many characters, an estimated length would waste too much memory. */
const MAX_ESTIMATED_LENGTH = 4096;
/** Messages of common size are assembled here and then copied to a new Buffer. */
const SCRATCH_BUFFER: Buffer = Buffer.allocUnsafeSlow(65_536);

/** A long piece of a value and its position among the copied bytes. */
interface Insert {
  readonly at: number;
  readonly piece: Uint8Array;
}

/** Encodes Close for the statements in `closing`, then the calls, then Sync. */
export function encodeMessages(closing: readonly string[], calls: readonly StatementCall[]): Pieces {
  let size = SYNC.length;
  for (const name of closing) size += 7 + maxSizeOfText(name);
  for (const call of calls) size += maxSizeOfCall(call);
  const isCommon = size <= SCRATCH_BUFFER.length;
  const writer = isCommon ? SCRATCH_WRITER.restart() : new MessageWriter(Buffer.allocUnsafe(size));
  for (const name of closing) writer.writeClose(name);
  for (const call of calls) writer.writeCall(call);
  const written = writer.end();
  const bytes = isCommon ? Buffer.from(written) : written;
  const inserts = writer.takeInserts();
  return inserts.length === 0 ? [bytes] : interleave(bytes, inserts);
}

function interleave(bytes: Buffer, inserts: readonly Insert[]): Pieces {
  let start = 0;
  const pieces = inserts.flatMap(({ at, piece }) => {
    const before = bytes.subarray(start, at);
    start = at;
    return before.length === 0 ? [piece] : [before, piece];
  });
  return [...pieces, bytes.subarray(start)];
}

/** Encodes one statement without parameters whose result ends after `maxRows` rows, and Sync. */
export function encodeLimited(text: string, maxRows: number): Pieces {
  const call = { name: '', text, parameters: [], resultFormat: 'text', isDescribed: true } as const;
  const bytes = Buffer.concat(encodeMessages([], [call]));
  // The limit is the last field of Execute.
  bytes.writeInt32BE(maxRows, bytes.length - SYNC.length - 4);
  return [bytes];
}

/** Rejects COPY FROM STDIN. In copy mode the server discards the Sync it has already received, so a new one follows. */
export function encodeCopyRefusal(): Buffer {
  const reason = 'COPY is not available here\0';
  const bytes = Buffer.alloc(5 + reason.length + SYNC.length);
  bytes.writeUInt8(0x66, 0);
  bytes.writeInt32BE(4 + reason.length, 1);
  bytes.write(reason, 5, 'latin1');
  SYNC.copy(bytes, 5 + reason.length);
  return bytes;
}

function maxSizeOfCall({ name, text, parameters, isDescribed }: StatementCall): number {
  const nameSize = maxSizeOfText(name);
  let size = FIXED_CALL_SIZE + nameSize;
  if (text !== undefined) {
    // A zero byte would end the text early, and the server would read the rest as protocol messages.
    if (text.includes('\0')) throw new Error('a statement text contains a zero byte');
    size += 9 + nameSize + maxSizeOfText(text);
  }
  if (isDescribed) size += DESCRIBE.length;
  for (const value of parameters) {
    // A length and a format code.
    size += 6;
    if (typeof value === 'string') size += maxSizeOfText(value);
    else if (value !== null)
      for (const { length } of piecesOf(value)) if (length <= SEPARATE_WRITE_BYTES) size += length;
  }
  return size;
}

function maxSizeOfText(text: string): number {
  return text.length <= MAX_ESTIMATED_LENGTH ? text.length * MAX_UTF8_BYTES_PER_UNIT : Buffer.byteLength(text);
}

function piecesOf(value: Exclude<ParameterValue, string | null>): Pieces {
  return 'kind' in value ? value.bytes : value;
}

function hasBinary(parameters: readonly ParameterValue[]): boolean {
  for (const value of parameters) if (typeof value === 'object' && isBinary(value)) return true;
  return false;
}

function isBinary(value: ParameterValue): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** Writes messages one after another into a buffer that is long enough. */
class MessageWriter {
  readonly #bytes: Buffer;
  /** Long pieces to insert between the written bytes. */
  #inserts: Insert[] = [];
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Call after an exception, too. */
  restart(): this {
    this.#at = 0;
    if (this.#inserts.length > 0) this.#inserts = [];
    return this;
  }

  /** Ends the messages with Sync. @returns the written bytes */
  end(): Buffer {
    this.#at += SYNC.copy(this.#bytes, this.#at);
    return this.#bytes.subarray(0, this.#at);
  }

  /** Call after `end`. */
  takeInserts(): readonly Insert[] {
    const inserts = this.#inserts;
    if (inserts.length > 0) this.#inserts = [];
    return inserts;
  }

  writeClose(name: string): void {
    const begin = this.#begin(CLOSE);
    this.#bytes[this.#at++] = 0x53;
    this.#writeTerminated(name);
    this.#endMessage(begin, 0);
  }

  writeCall({ name, text, parameters, memo, resultFormat, isDescribed }: StatementCall): void {
    if (text !== undefined) this.#writeParse(name, text);
    const begin = this.#begin(BIND);
    this.#bytes[this.#at++] = 0;
    this.#writeTerminated(name);
    const separate = memo === undefined ? this.#writeParameters(parameters) : this.#repeatParameters(parameters, memo);
    if (resultFormat === 'binary') this.#writeShort(1);
    // The format, or the number of formats.
    this.#writeShort(resultFormat === 'binary' ? BINARY_FORMAT : 0);
    this.#endMessage(begin, separate);
    if (isDescribed) this.#at += DESCRIBE.copy(this.#bytes, this.#at);
    this.#at += EXECUTE.copy(this.#bytes, this.#at);
  }

  #writeParse(name: string, text: string): void {
    const begin = this.#begin(PARSE);
    this.#writeTerminated(name);
    this.#writeTerminated(text);
    this.#writeShort(0);
    this.#endMessage(begin, 0);
  }

  /** Copies the parameters as they were encoded before. They are texts without long pieces. */
  #repeatParameters(parameters: readonly ParameterValue[], memo: ParameterMemo): number {
    if (memo.bytes === undefined) {
      const begin = this.#at;
      this.#writeParameters(parameters);
      memo.bytes = Buffer.from(this.#bytes.subarray(begin, this.#at));
    } else {
      this.#bytes.set(memo.bytes, this.#at);
      this.#at += memo.bytes.length;
    }
    return 0;
  }

  /** Writes no format codes if every parameter is text. @returns the bytes of the pieces that are inserted later */
  #writeParameters(parameters: readonly ParameterValue[]): number {
    if (hasBinary(parameters)) {
      this.#writeShort(parameters.length);
      for (const value of parameters) this.#writeShort(isBinary(value) ? BINARY_FORMAT : TEXT_FORMAT);
    } else {
      this.#writeShort(0);
    }
    this.#writeShort(parameters.length);
    let separate = 0;
    for (const value of parameters) {
      const begin = this.#at;
      this.#at += 4;
      let length = NULL_LENGTH;
      if (typeof value === 'string') {
        this.#writeText(value);
        length = this.#at - begin - 4;
      } else if (value !== null) {
        const inserted = this.#writePieces(piecesOf(value));
        separate += inserted;
        length = this.#at - begin - 4 + inserted;
      }
      this.#bytes.writeInt32BE(length, begin);
    }
    return separate;
  }

  /** @returns the bytes of the pieces that are inserted later */
  #writePieces(pieces: Pieces): number {
    let inserted = 0;
    for (const piece of pieces) {
      if (piece.length > SEPARATE_WRITE_BYTES) {
        inserted += piece.length;
        this.#inserts.push({ at: this.#at, piece });
      } else {
        this.#bytes.set(piece, this.#at);
        this.#at += piece.length;
      }
    }
    return inserted;
  }

  #writeText(text: string): void {
    const { length } = text;
    const bytes = this.#bytes;
    const begin = this.#at;
    if (length <= MAX_BYTEWISE_LENGTH) {
      let index = 0;
      for (; index < length; index += 1) {
        const unit = text.charCodeAt(index);
        if (unit > 0x7f) break;
        bytes[begin + index] = unit;
      }
      this.#at += index;
      if (index === length) return;
      this.#at = begin;
    }
    this.#at += bytes.write(text, begin);
  }

  #writeTerminated(text: string): void {
    this.#writeText(text);
    this.#bytes[this.#at++] = 0;
  }

  #writeShort(value: number): void {
    this.#at = this.#bytes.writeUInt16BE(value, this.#at);
  }

  /** Leaves space for the length. @returns the start of the message */
  #begin(type: number): number {
    const begin = this.#at;
    this.#bytes[begin] = type;
    this.#at += 5;
    return begin;
  }

  /** @param separate bytes of the pieces that are inserted later */
  #endMessage(begin: number, separate: number): void {
    this.#bytes.writeInt32BE(this.#at - begin - 1 + separate, begin + 1);
  }
}

const SCRATCH_WRITER = new MessageWriter(SCRATCH_BUFFER);
