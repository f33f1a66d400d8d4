// Reads the parts of one server message; columns are views of its bytes. Functions return `undefined` if the lengths
// inside the body contradict the length of the message.
import type { DatabaseReport } from '../../errors/api-error.ts';
import type { ServerMessage } from './decoder.ts';

/** A column's bytes as sent; `null` for SQL null. */
export type ColumnValue = Buffer | null;

/** Returns the columns of a row, or `undefined` if its lengths contradict the length of the message. */
export function readColumns(message: ServerMessage): ColumnValue[] | undefined {
  const { bytes, start, end } = message;
  if (end - start < 2) return undefined;
  const count = bytes.readUInt16BE(start);
  const columns: ColumnValue[] = [];
  let offset = start + 2;
  for (let index = 0; index < count; index += 1) {
    if (offset + 4 > end) return undefined;
    const length = bytes.readInt32BE(offset);
    offset += 4;
    if (length === -1) {
      columns.push(null);
      continue;
    }
    if (length < 0 || offset + length > end) return undefined;
    columns.push(bytes.subarray(offset, offset + length));
    offset += length;
  }
  return offset === end ? columns : undefined;
}

/** Start of a column whose value is SQL null. */
export const NULL = -1;

/**
 * Writes the start and end of each column to `bounds`. For large results whose values are only copied. Returns false if
 * the lengths contradict the length of the message.
 */
export function readColumnBounds({ bytes, start, end }: ServerMessage, bounds: number[]): boolean {
  if (end - start < 2) return false;
  const count = bytes.readUInt16BE(start);
  // All rows of a result have as many columns; setting the length is slow.
  if (bounds.length !== 2 * count) bounds.length = 2 * count;
  let offset = start + 2;
  for (let index = 0; index < count; index += 1) {
    if (offset + 4 > end) return false;
    const length = bytes.readInt32BE(offset);
    offset += 4;
    if (length < -1 || offset + length > end) return false;
    bounds[2 * index] = length === -1 ? NULL : offset;
    if (length > 0) offset += length;
    bounds[2 * index + 1] = offset;
  }
  return offset === end;
}

/** Bytes that follow each column's name in a RowDescription. */
const COLUMN_DESCRIPTION_SIZE = 18;

/** A result column. The name is a view of the message. */
export interface DescribedColumn {
  readonly name: Buffer;
  /** For a domain, that of its base type. */
  readonly typeOid: number;
}

/** Returns the result columns, or `undefined` if the message contradicts its own length. */
export function readDescribedColumns(message: ServerMessage): readonly DescribedColumn[] | undefined {
  const { bytes } = message;
  return readDescriptions(message, (name, rest) => ({ name, typeOid: bytes.readUInt32BE(rest + 6) }));
}

export interface ResultColumn {
  readonly name: string;
  readonly typeOid: number;
  readonly typeModifier: number;
}

/** Returns the result columns with their types, or `undefined` if the message contradicts its own length. */
export function readResultColumns(message: ServerMessage): readonly ResultColumn[] | undefined {
  const { bytes } = message;
  return readDescriptions(message, (name, rest) => ({
    name: name.toString('utf8'),
    typeOid: bytes.readUInt32BE(rest + 6),
    typeModifier: bytes.readInt32BE(rest + 12),
  }));
}

/** @param read gets the name, and the offset of what follows it */
function readDescriptions<T>(
  { bytes, start, end }: ServerMessage,
  read: (name: Buffer, rest: number) => T,
): readonly T[] | undefined {
  if (end - start < 2) return undefined;
  const columns: T[] = [];
  let offset = start + 2;
  for (let missing = bytes.readUInt16BE(start); missing > 0; missing -= 1) {
    const stop = bytes.indexOf(0, offset);
    if (stop < 0 || stop + 1 + COLUMN_DESCRIPTION_SIZE > end) return undefined;
    columns.push(read(bytes.subarray(offset, stop), stop + 1));
    offset = stop + 1 + COLUMN_DESCRIPTION_SIZE;
  }
  return offset === end ? columns : undefined;
}

/** Returns the command tag, for example `SELECT 1` or `COMMIT`. */
export function readCommandTag(message: ServerMessage): string {
  return message.bytes.toString('latin1', message.start, message.end - 1);
}

/** Returns 5 for the tags `INSERT 0 5` and `UPDATE 5`. */
export function readAffectedRows(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1));
}

export interface ServerError {
  readonly report: DatabaseReport;
  /** Not localized: `ERROR`, `FATAL` or `PANIC`. The last two end the session. */
  readonly severity: string;
  /** In the text of the statement, in characters counted from 1. */
  readonly position: number | undefined;
  /** Whether a function raised it, as opposed to the statement itself. */
  readonly isFromFunction: boolean;
}

const SEVERITY = 0x56;
const SQLSTATE = 0x43;
const MESSAGE = 0x4d;
const DETAIL = 0x44;
const HINT = 0x48;
const POSITION = 0x50;
const CONTEXT = 0x57;
const SCHEMA = 0x73;
const TABLE = 0x74;
const DOMAIN = 0x64;
const CONSTRAINT = 0x6e;

/** https://www.postgresql.org/docs/current/protocol-error-fields.html */
export function readServerError(message: ServerMessage): ServerError {
  const fields = readFields(message);
  const position = fields.get(POSITION);
  const [schema, name] = [fields.get(SCHEMA), fields.get(CONSTRAINT)];
  const owner = fields.get(TABLE) ?? fields.get(DOMAIN);
  return {
    severity: fields.get(SEVERITY) ?? 'ERROR',
    position: position === undefined ? undefined : Number(position),
    isFromFunction: fields.has(CONTEXT),
    report: {
      sqlstate: fields.get(SQLSTATE) ?? 'XX000',
      message: fields.get(MESSAGE) ?? '',
      detail: fields.get(DETAIL),
      hint: fields.get(HINT),
      constraint:
        schema === undefined || name === undefined || owner === undefined ? undefined : { schema, owner, name },
    },
  };
}

function readFields(message: ServerMessage): ReadonlyMap<number, string> {
  const { bytes, end } = message;
  const fields = new Map<number, string>();
  let offset = message.start;
  while (offset < end) {
    const field = bytes.readUInt8(offset);
    const stop = field === 0 ? -1 : bytes.indexOf(0, offset + 1);
    if (stop < 0 || stop >= end) break;
    fields.set(field, bytes.toString('utf8', offset + 1, stop));
    offset = stop + 1;
  }
  return fields;
}

/**
 * Returns the zero-terminated texts that begin `skip` bytes into the body, as in NotificationResponse and
 * ParameterStatus.
 */
export function readTexts(message: ServerMessage, skip: number): readonly string[] {
  const text = message.bytes.toString('utf8', message.start + skip, message.end);
  return text.split('\0').slice(0, -1);
}
