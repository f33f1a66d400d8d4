// Reads the operations of a PATCH and replaces each with its operand, without building values (`beyond.md` §2.6).
import { fail, ok, type Result } from '../../contract/result.ts';
import { sortedNames } from '../../util/code-points.ts';
import type { Slices } from '../../util/slices.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { skipWhitespace } from './json-scanner.ts';
import { describeOperation, findOperation, listMembers, type PatchFormat } from './patch-members.ts';
import type { GivenOperation, JsonPayload } from './payload.ts';

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
