// In: one server message. Out: its parts, columns as views without decoding. Second stage of every answer;
// `undefined` means that the body contradicts its own lengths.
import type { DatabaseReport } from '../../errors/api-error.ts';
import type { ServerMessage } from './decoder.ts';

/** A column's bytes as sent; `null` for SQL null. */
export type ColumnValue = Buffer | null;

/** `undefined`: the lengths inside the row contradict the message's length. */
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

/** Where a column begins that is SQL null. */
export const NULL = -1;

/**
 * Where each column begins and ends within the message's bytes, one after the other in `bounds`: for many rows, of which
 * nothing is to be made but their bytes. False where the lengths contradict the message's.
 */
export function readColumnBounds({ bytes, start, end }: ServerMessage, bounds: number[]): boolean {
  if (end - start < 2) return false;
  const count = bytes.readUInt16BE(start);
  bounds.length = 2 * count;
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

/** Bytes of each column's description behind its name. */
const COLUMN_DESCRIPTION_SIZE = 18;

/** Names of the columns that the rows will have; `undefined`: the message contradicts its own length. */
export function readColumnNames({ bytes, start, end }: ServerMessage): readonly Buffer[] | undefined {
  if (end - start < 2) return undefined;
  const names: Buffer[] = [];
  let offset = start + 2;
  for (let missing = bytes.readUInt16BE(start); missing > 0; missing -= 1) {
    const stop = bytes.indexOf(0, offset);
    if (stop < 0 || stop + 1 + COLUMN_DESCRIPTION_SIZE > end) return undefined;
    names.push(bytes.subarray(offset, stop));
    offset = stop + 1 + COLUMN_DESCRIPTION_SIZE;
  }
  return offset === end ? names : undefined;
}

/** Command tag, e.g. `SELECT 1`, `COMMIT`. */
export function readCommandTag(message: ServerMessage): string {
  return message.bytes.toString('latin1', message.start, message.end - 1);
}

/** Of the tag `INSERT 0 5`, the five. */
export function readInsertedRows(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1));
}

export interface ServerError {
  readonly report: DatabaseReport;
  /** Not translated: `ERROR`, `FATAL`, `PANIC`. The session is over after the last two. */
  readonly severity: string;
}

const SEVERITY = 0x56;
const SQLSTATE = 0x43;
const MESSAGE = 0x4d;
const DETAIL = 0x44;
const HINT = 0x48;

/** https://www.postgresql.org/docs/current/protocol-error-fields.html */
export function readServerError(message: ServerMessage): ServerError {
  const fields = readFields(message);
  return {
    severity: fields.get(SEVERITY) ?? 'ERROR',
    report: {
      sqlstate: fields.get(SQLSTATE) ?? 'XX000',
      message: fields.get(MESSAGE) ?? '',
      detail: fields.get(DETAIL),
      hint: fields.get(HINT),
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

/** The zero-terminated texts of a body, from `skip` bytes after its start: a notification, a parameter status. */
export function readTexts(message: ServerMessage, skip: number): readonly string[] {
  const text = message.bytes.toString('utf8', message.start + skip, message.end);
  return text.split('\0').slice(0, -1);
}
