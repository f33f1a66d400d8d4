// Reads the operations of a PATCH and replaces each with its operand, without building values (`beyond.md` §2.6).
import { fail, ok, type Result } from '../../contract/result.ts';
import { sortedNames } from '../../util/code-points.ts';
import type { Slices } from '../../util/slices.ts';
import type { ApiError } from '../../errors/api-error.ts';
import {
  BYTES_PER_SLICE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  scanColon,
  scanLongString,
  scanLongValue,
  skipWhitespace,
} from './json-scanner.ts';
import { type GivenOperation, type JsonPayload, MAX_NAME_BYTES, MAX_NAMES } from './payload.ts';

export interface Patch {
  readonly format: PatchFormat;
  /** The `columns` parameter. */
  readonly columns: readonly string[] | undefined;
}

/** @param payload of a valid JSON body @param body the same body, in one piece */
export function* parsePatch(
  payload: JsonPayload,
  body: Uint8Array,
  { format, columns }: Patch,
): Slices<Result<JsonPayload, ApiError>> {
  if (payload.isArray) return fail({ kind: 'invalidBody', message: 'A patch must be a JSON object' });
  const operations = new Map<string, GivenOperation>();
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const member of yield* listMembers(body, skipWhitespace(body, 0))) {
    const { name, start, end } = member;
    const found = yield* findOperation(body, member, format);
    // The last of several members with the same name wins, as in PostgreSQL.
    if (found === undefined || found.name === '$set') operations.delete(name);
    else operations.set(name, yield* describeOperation(body, found, format === 'merge'));
    if (found === undefined || format === 'merge') continue;
    pieces.push(body.subarray(copied, start), body.subarray(found.start, found.end));
    copied = end;
  }
  pieces.push(body.subarray(copied));
  const keys = columns === undefined ? payload.keys : sortedNames(columns);
  return ok({ ...payload, keys, bytes: pieces, operations });
}

/** The first byte of `null`. */
const NULL = 0x6e;

/** `merge`: JSON Merge Patch (RFC 7396); `operations`: values may be objects such as `{"$add": 5}`. */
export type PatchFormat = 'merge' | 'operations';

/** Positions of the value. */
export interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the members of an object in a patch and the operations among their values, without building values
 * (`beyond.md` §2.6). Lists up to `MAX_NAMES` members: among more, there is an unknown column.
 *
 * @param start position of a valid object
 */
export function* listMembers(bytes: Uint8Array, start: number): Slices<readonly Member[]> {
  const members: Member[] = [];
  let pos = skipWhitespace(bytes, start + 1);
  while (bytes[pos] !== CLOSE_BRACE && members.length <= MAX_NAMES) {
    const member = yield* readMember(bytes, pos);
    members.push(member);
    pos = skipWhitespace(bytes, member.end);
    if (bytes[pos] !== CLOSE_BRACE) pos = skipWhitespace(bytes, pos + 1);
  }
  return members;
}

function* readMember(bytes: Uint8Array, nameStart: number): Slices<Member> {
  const nameEnd = yield* scanLongString(bytes, nameStart);
  const start = scanColon(bytes, nameEnd);
  const end = yield* scanLongValue(bytes, start, Infinity);
  // No operation has a longer name, and no longer name of a column gets here.
  const isName = nameEnd - nameStart <= MAX_NAME_BYTES;
  const name: unknown = isName ? JSON.parse(Buffer.from(bytes.subarray(nameStart, nameEnd)).toString()) : '';
  return { name: String(name), start, end };
}

/** An operation is an object with one member, whose name starts with `$`. In a merge patch, every object is one. */
export function* findOperation(
  bytes: Uint8Array,
  { start, end }: Member,
  format: PatchFormat,
): Slices<Member | undefined> {
  if (bytes[start] !== OPEN_BRACE) return undefined;
  if (format === 'merge') return { name: '$merge', start, end };
  const inner = skipWhitespace(bytes, start + 1);
  if (bytes[inner] !== QUOTE) return undefined;
  const member = yield* readMember(bytes, inner);
  const isOnly = bytes[skipWhitespace(bytes, member.end)] === CLOSE_BRACE;
  return isOnly && member.name.startsWith('$') ? member : undefined;
}

export function* describeOperation(bytes: Uint8Array, operation: Member, isImplied: boolean): Slices<GivenOperation> {
  const { name, start } = operation;
  if (bytes[start] !== OPEN_BRACE) return { name, operand: scalarOrArray(bytes[start]), depth: 0, isImplied };
  return { name, operand: 'object', depth: yield* measureDepth(bytes, operation), isImplied };
}

function scalarOrArray(first: number | undefined): GivenOperation['operand'] {
  if (first === OPEN_BRACKET) return 'array';
  return first === NULL ? 'null' : 'other';
}

/** Counts the levels of objects, without those inside arrays. */
function* measureDepth(bytes: Uint8Array, { start, end }: Member): Slices<number> {
  let deepest = 0;
  let depth = 0;
  let depthInArrays = 0;
  let sliceEnd = start + BYTES_PER_SLICE;
  for (let pos = start; pos < end; pos += 1) {
    const byte = bytes[pos];
    if (byte === QUOTE) pos = (yield* scanLongString(bytes, pos)) - 1;
    else if (byte === OPEN_BRACKET || (byte === OPEN_BRACE && depthInArrays > 0)) depthInArrays += 1;
    else if (byte === OPEN_BRACE) deepest = Math.max(deepest, (depth += 1));
    else if (byte === CLOSE_BRACKET || (byte === CLOSE_BRACE && depthInArrays > 0)) depthInArrays -= 1;
    else if (byte === CLOSE_BRACE) depth -= 1;
    if (pos < sliceEnd) continue;
    yield;
    sliceEnd = pos + BYTES_PER_SLICE;
  }
  return deepest;
}
