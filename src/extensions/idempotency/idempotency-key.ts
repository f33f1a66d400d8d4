// Parses the header `Idempotency-Key` (`beyond.md` §2.7).
import { allHeaders, type HttpRequest } from '../../contract/http.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';

const METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);
const BARE = /^[!#-~][!-~]{0,254}$/u;
const QUOTED = /^"((?:[!#-[\]-~]|\\["\\])+)"$/u;
const MAX_LENGTH = 255;

const INVALID: ApiError = {
  kind: 'invalidBody',
  message: `Idempotency-Key takes one key of 1 to ${MAX_LENGTH} visible ASCII characters`,
};

/** @returns undefined for a request without a key, or one that ignores it */
export function parseIdempotencyKey({
  method,
  headers,
}: Pick<HttpRequest, 'method' | 'headers'>): Result<string | undefined, ApiError> {
  if (!METHODS.has(method)) return ok(undefined);
  const [text, ...others] = allHeaders(headers, 'idempotency-key');
  if (text === undefined) return ok(undefined);
  if (others.length > 0) return fail(INVALID);
  if (BARE.test(text)) return ok(text);
  const key = QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/gu, '$1');
  return key === undefined || key.length > MAX_LENGTH ? fail(INVALID) : ok(key);
}
