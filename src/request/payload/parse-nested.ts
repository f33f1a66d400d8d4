// Checks a body whose objects may contain related rows (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Slices } from '../../util/slices.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { findJsonFault } from './json-fault.ts';
import { isNestedDeeper, OPEN_BRACE, scanLongValue, skipWhitespace } from './json-scanner.ts';
import type { JsonPayload } from './payload.ts';
import { tooDeep } from './payload-errors.ts';
import type { PayloadSettings } from './parse-payload.ts';
import { INVALID } from '../../util/utf8.ts';

export function* parseNested(
  body: Uint8Array,
  { dialect, maxJsonDepth }: PayloadSettings,
): Slices<Result<JsonPayload, ApiError>> {
  const start = skipWhitespace(body, 0);
  const end = yield* scanLongValue(body, start, maxJsonDepth);
  const isArray = body[start] !== OPEN_BRACE;
  if (end !== INVALID && skipWhitespace(body, end) === body.length)
    return ok({ kind: 'json', source: 'json', bytes: [body], isArray, keys: [], isNested: true });
  if (yield* isNestedDeeper(body, maxJsonDepth)) return fail(tooDeep(maxJsonDepth));
  const place = dialect.hasHints ? yield* findJsonFault(body) : undefined;
  return fail({ kind: 'invalidBody', message: 'Empty or invalid json', place });
}
