// Encodes the statements of one write into a single Buffer of exactly their size, so that a request costs one
// allocation and one socket write. Long values are not copied. Does not own the socket.
// Most values are short, and calling a native Buffer method costs more than writing such a value. So the encoder
// estimates an upper bound for text lengths and writes short ASCII text byte by byte.
import type { ParameterValue, Pieces } from '../../contract/transaction.ts';

/** One statement to run: Parse (if `text` is set), Bind, Describe (if `isDescribed`), Execute. */
export interface StatementCall {
  /** Prepared statement; `''` is the unnamed one. */
  readonly name: string;
  /** Sent with Parse; `undefined` if the server already knows the name. */
  readonly text: string | undefined;
  readonly parameters: readonly ParameterValue[];
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
/** Largest number of UTF-8 bytes per UTF-16 code unit. */
const MAX_UTF8_BYTES_PER_UNIT = 3;
/** Above this many characters, an estimated length would waste too much memory. */
const MAX_ESTIMATED_LENGTH = 4096;
/** Batches of common size are assembled here and then copied to a new Buffer. */
const SCRATCH_BUFFER: Buffer = Buffer.allocUnsafeSlow(65_536);

/** A long piece of a value and its position among the copied bytes. */
interface Insert {
  readonly at: number;
  readonly piece: Uint8Array;
}

/** Encodes Close for the statements in `closing`, then the calls, then Sync. */
export function encodeBatch(closing: readonly string[], calls: readonly StatementCall[]): Pieces {
  let size = SYNC.length;
  for (const name of closing) size += maxSizeOfClose(name);
  for (const call of calls) size += maxSizeOfCall(call);
  const isCommon = size <= SCRATCH_BUFFER.length;
  const bytes = isCommon ? SCRATCH_BUFFER : Buffer.allocUnsafe(size);
  const inserts: Insert[] = [];
  let offset = 0;
  for (const name of closing) offset = writeClose(bytes, offset, name);
  for (const call of calls) offset = writeCall(bytes, offset, { call, inserts });
  offset += SYNC.copy(bytes, offset);
  const written = bytes.subarray(0, offset);
  const batch = isCommon ? Buffer.from(written) : written;
  return inserts.length === 0 ? [batch] : interleave(batch, inserts);
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
  const bytes = Buffer.concat(encodeBatch([], [call]));
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

function maxSizeOfClose(name: string): number {
  return 1 + 4 + 1 + maxSizeOfText(name) + 1;
}

function writeClose(bytes: Buffer, begin: number, name: string): number {
  let offset = begin + 5;
  offset = bytes.writeUInt8(0x53, offset);
  offset = writeZeroTerminated(bytes, offset, name);
  return writeHeader(bytes, begin, { type: CLOSE, end: offset });
}

function maxSizeOfCall(call: StatementCall): number {
  const nameSize = maxSizeOfText(call.name);
  let size = 0;
  if (call.text !== undefined) size += 1 + 4 + nameSize + 1 + maxSizeOfText(call.text) + 1 + 2;
  size += 1 + 4 + 1 + nameSize + 1 + 2 + 2 + 2 + (call.resultFormat === 'binary' ? 2 : 0);
  if (hasBinary(call.parameters)) size += 2 * call.parameters.length;
  for (const parameter of call.parameters) size += 4 + maxSizeOfValue(parameter);
  if (call.isDescribed) size += DESCRIBE.length;
  return size + EXECUTE.length;
}

/** Excludes pieces that are too long to copy. */
function maxSizeOfValue(value: ParameterValue): number {
  if (typeof value === 'string') return maxSizeOfText(value);
  if (value === null) return 0;
  let size = 0;
  for (const { length } of piecesOf(value)) if (length <= SEPARATE_WRITE_BYTES) size += length;
  return size;
}

function maxSizeOfText(text: string): number {
  return text.length <= MAX_ESTIMATED_LENGTH ? text.length * MAX_UTF8_BYTES_PER_UNIT : Buffer.byteLength(text);
}

/** A call and the long pieces to insert into it. */
interface CallWriting {
  readonly call: StatementCall;
  readonly inserts: Insert[];
}

function writeCall(bytes: Buffer, begin: number, writing: CallWriting): number {
  const { call } = writing;
  let offset = begin;
  if (call.text !== undefined) offset = writeParse(bytes, offset, { name: call.name, text: call.text });
  offset = writeBind(bytes, offset, writing);
  if (call.isDescribed) offset += DESCRIBE.copy(bytes, offset);
  return offset + EXECUTE.copy(bytes, offset);
}

function writeParse(bytes: Buffer, begin: number, statement: { name: string; text: string }): number {
  // A zero byte would end the text early, and the server would read the rest as protocol messages.
  if (statement.text.includes('\0')) throw new Error('a statement text contains a zero byte');
  let offset = writeZeroTerminated(bytes, begin + 5, statement.name);
  offset = writeZeroTerminated(bytes, offset, statement.text);
  offset = bytes.writeUInt16BE(0, offset);
  return writeHeader(bytes, begin, { type: PARSE, end: offset });
}

function writeBind(bytes: Buffer, begin: number, { call, inserts }: CallWriting): number {
  const { parameters } = call;
  const first = inserts.length;
  let offset = bytes.writeUInt8(0, begin + 5);
  offset = writeZeroTerminated(bytes, offset, call.name);
  offset = writeParameterFormats(bytes, offset, parameters);
  offset = bytes.writeUInt16BE(parameters.length, offset);
  for (const value of parameters) offset = writeValue(bytes, offset, { value, inserts });
  if (call.resultFormat === 'binary') {
    offset = bytes.writeUInt16BE(1, offset);
    offset = bytes.writeUInt16BE(BINARY_FORMAT, offset);
  } else {
    offset = bytes.writeUInt16BE(0, offset);
  }
  let end = offset;
  for (let index = first; index < inserts.length; index++) end += inserts[index]?.piece.length ?? 0;
  writeHeader(bytes, begin, { type: BIND, end });
  return offset;
}

/** Writes no format codes if every parameter is text. */
function writeParameterFormats(bytes: Buffer, begin: number, parameters: readonly ParameterValue[]): number {
  if (!hasBinary(parameters)) return bytes.writeUInt16BE(0, begin);
  let offset = bytes.writeUInt16BE(parameters.length, begin);
  for (const parameter of parameters) {
    offset = bytes.writeUInt16BE(isBinary(parameter) ? BINARY_FORMAT : TEXT_FORMAT, offset);
  }
  return offset;
}

interface ValueWriting {
  readonly value: ParameterValue;
  readonly inserts: Insert[];
}

function writeValue(bytes: Buffer, begin: number, { value, inserts }: ValueWriting): number {
  if (value === null) return bytes.writeInt32BE(NULL_LENGTH, begin);
  let offset = begin + 4;
  let length = 0;
  if (typeof value === 'string') {
    offset = writeText(bytes, offset, value);
    length = offset - begin - 4;
  } else {
    for (const piece of piecesOf(value)) {
      length += piece.length;
      if (piece.length > SEPARATE_WRITE_BYTES) {
        inserts.push({ at: offset, piece });
      } else {
        bytes.set(piece, offset);
        offset += piece.length;
      }
    }
  }
  bytes.writeInt32BE(length, begin);
  return offset;
}

function piecesOf(value: Exclude<ParameterValue, string | null>): Pieces {
  return 'kind' in value ? value.bytes : value;
}

function hasBinary(parameters: readonly ParameterValue[]): boolean {
  for (const parameter of parameters) if (isBinary(parameter)) return true;
  return false;
}

function isBinary(value: ParameterValue): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

function writeZeroTerminated(bytes: Buffer, offset: number, text: string): number {
  return bytes.writeUInt8(0, writeText(bytes, offset, text));
}

function writeText(bytes: Buffer, offset: number, text: string): number {
  if (text.length > MAX_BYTEWISE_LENGTH) return offset + bytes.write(text, offset);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return offset + bytes.write(text, offset);
    bytes[offset + index] = unit;
  }
  return offset + text.length;
}

function writeHeader(bytes: Buffer, begin: number, message: { type: number; end: number }): number {
  bytes.writeUInt8(message.type, begin);
  bytes.writeInt32BE(message.end - begin - 1, begin + 1);
  return message.end;
}
