// Reads a list of requests in one body, as a batch is (`beyond.md` §2.1). Fails with the first one that is malformed.
import type { Dialect } from '../contract/dialect.ts';
import type { HeaderList, HttpRequest } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Slices } from '../util/slices.ts';
import { findJsonFault } from './payload/json-fault.ts';
import {
  CLOSE_BRACKET,
  isNestedDeeper,
  OPEN_BRACE,
  OPEN_BRACKET,
  scanContainer,
  skipWhitespace,
} from './payload/json-scanner.ts';
import { scanAny, skipComma } from './payload/json-text.ts';
import { tooDeep } from './payload/payload-errors.ts';
import { urlTooLong } from './query/query-limits.ts';
import { type PartRules, type ReadPart, readPart } from './read-part.ts';

export interface PartListRules extends PartRules {
  readonly dialect: Dialect;
  readonly maxJsonDepth: number;
  readonly maxUrlLength: number;
  readonly batchMaxRequests: number;
}

/** Why a list failed, and at which request, if at one. */
export interface PartFault {
  readonly error: ApiError;
  readonly request?: number | undefined;
  readonly id?: string | undefined;
}

/** Levels of the list around the body of a request. */
const LEVELS_AROUND = 2;

/** @param parse called with each request in order */
export function* readPartList<T>(
  text: Uint8Array,
  rules: PartListRules,
  parse: (part: ReadPart, index: number) => Slices<Result<T, ApiError>>,
): Slices<Result<readonly T[], PartFault>> {
  const { noun, batchMaxRequests, maxUrlLength } = rules;
  const malformed = yield* checkText(text, rules);
  if (malformed !== undefined) return fail({ error: malformed });
  const parts: T[] = [];
  const ids: Set<string> = new Set();
  for (let at = skipWhitespace(text, skipWhitespace(text, 0) + 1); text[at] !== CLOSE_BRACKET;) {
    const request = parts.length;
    if (request === batchMaxRequests)
      return fail({ error: invalid(`A ${noun} contains up to ${batchMaxRequests} requests (batch-max-requests)`) });
    const read = yield* readPart(text, at, rules);
    const { id } = read.ok ? read.value : read.error;
    const refuse = (error: ApiError): Result<never, PartFault> => fail({ error, request, id });
    if (!read.ok) {
      const { problem, hint } = read.error;
      return refuse({ ...invalid(`Request ${request} of the ${noun} ${problem}`), hint });
    }
    if (id !== undefined && ids.has(id))
      return refuse(invalid(`Request ${request} of the ${noun} repeats the id "${id}"`));
    if (read.value.target.length > maxUrlLength) return refuse(urlTooLong(maxUrlLength));
    const parsed = yield* parse(read.value, request);
    if (!parsed.ok) return refuse(parsed.error);
    if (id !== undefined) ids.add(id);
    parts.push(parsed.value);
    at = skipComma(text, yield* scanAny(text, at));
    yield;
  }
  return parts.length === 0 ? fail({ error: invalid(`The ${noun} contains no request`) }) : ok(parts);
}

function* checkText(text: Uint8Array, { noun, dialect, maxJsonDepth }: PartListRules): Slices<ApiError | undefined> {
  if (yield* isNestedDeeper(text, maxJsonDepth + LEVELS_AROUND)) return tooDeep(maxJsonDepth);
  const start = skipWhitespace(text, 0);
  const end =
    text[start] === OPEN_BRACKET || text[start] === OPEN_BRACE ? yield* scanContainer(text, start, Infinity) : -1;
  if (end >= 0 && skipWhitespace(text, end) === text.length)
    return text[start] === OPEN_BRACKET ? undefined : invalid(`A ${noun} is an array of requests`);
  const place = dialect.hasHints ? yield* findJsonFault(text) : undefined;
  return { kind: 'invalidBody', message: 'Empty or invalid json', place };
}

function invalid(message: string): Extract<ApiError, { kind: 'invalidBody' }> {
  return { kind: 'invalidBody', message };
}

/** Headers that describe the body of the list, not its sender. */
const MESSAGE_HEADERS =
  /^(?:accept|accept-encoding|content-(?!profile$).*|expect|idempotency-key|if-.*|prefer|range|range-unit|transfer-encoding|connection|te|trailer|upgrade)$/u;

/**
 * Turns a request of a list into an HTTP request. It inherits the headers of the list that describe the sender. Only
 * headers that the operator allows in requests of a batch (`contract/part-headers.ts`) can replace them.
 */
export function toHttpRequest(
  { method, path, rawQuery, body, headers: own }: HttpRequest,
  { headers, mount }: HttpRequest,
): HttpRequest {
  const names = new Set(own.map(([name]) => name));
  const inherited: HeaderList = headers.filter(([name]) => !names.has(name) && !MESSAGE_HEADERS.test(name));
  return { method, path, rawQuery, headers: [...inherited, ...own], body, ...(mount && { mount }) };
}
