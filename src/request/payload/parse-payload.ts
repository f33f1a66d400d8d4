// Parses the body by its Content-Type into the payload for the database and its names (`writing.md` §3).
import { ElementScanner } from './element-scanner.ts';
import { sortedNames } from '../../util/code-points.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Slices } from '../../util/slices.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { formatRow, isPayloadFormat, type PayloadFormat } from '../../media/formats.ts';
import { formatOf, JSON_TYPE, parseMediaType, printMediaType } from '../../media/media-type.ts';
import { parseCsvRows } from './parse-csv-rows.ts';
import { countFields, parseForm, renderFields } from './parse-form.ts';
import { type KeyRule, SameKeys } from './element-keys.ts';
import { findJsonFault } from './json-fault.ts';
import {
  BYTES_PER_SLICE,
  CLOSE_BRACKET,
  COMMA,
  isNestedDeeper,
  OPEN_BRACE,
  OPEN_BRACKET,
  scanLongValue,
  skipWhitespace,
} from './json-scanner.ts';
import { type JsonPayload, MAX_NAMES, type Payload } from './payload.ts';
import { NAME_TOO_LONG, tooDeep } from './payload-errors.ts';
import { INVALID } from '../../util/utf8.ts';

export interface PayloadRequest {
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly target: 'relation' | 'routine';
  /** The `columns` parameter, which applies to JSON bodies only; undefined for PUT. */
  readonly columns: readonly string[] | undefined;
  /** Which keys the elements of a JSON body may have; undefined: the same. */
  readonly rule?: KeyRule | undefined;
}

/** Configuration of request bodies. */
export interface PayloadSettings {
  readonly dialect: Dialect;
  /** Maximum nesting depth of arrays and objects. */
  readonly maxJsonDepth: number;
}

/** V8 has no strings of more characters. */
const MAX_FORM_BYTES = 536_870_000;

const FORM_TOO_LONG: ApiError = {
  kind: 'limitExceeded',
  limit: `forms have up to ${MAX_FORM_BYTES} bytes`,
  status: 413,
};

const TOO_MANY_FIELDS: ApiError = {
  kind: 'limitExceeded',
  limit: `forms have up to ${MAX_NAMES} fields`,
  status: 400,
};

/** Fails with `contentTypeUnsupported`, `invalidBody` or `limitExceeded`. */
export function* parsePayload(request: PayloadRequest, settings: PayloadSettings): Slices<Result<Payload, ApiError>> {
  const { body } = request;
  const { dialect, maxJsonDepth } = settings;
  const format = findFormat(request, dialect);
  if (!format.ok) return format;
  if (format.value === 'json') return yield* parseJson(request, settings);
  if (format.value === 'csv') return yield* parseCsv(body);
  if (format.value !== 'form') return ok({ kind: 'raw', format: format.value, bytes: [body] });
  return yield* parseFields(request, maxJsonDepth);
}

/** Returns the format that `Content-Type` specifies. Fails with `contentTypeUnsupported`. */
export function findFormat(
  { contentType, target }: Pick<PayloadRequest, 'contentType' | 'target'>,
  dialect: Dialect,
): Result<PayloadFormat, ApiError> {
  const type = contentType === undefined ? JSON_TYPE : parseMediaType(contentType, dialect);
  const name = formatOf(type);
  if (name !== undefined && isPayloadFormat(name) && (target === 'routine' || formatRow(name).body?.kind === 'parsed'))
    return ok(name);
  return fail({ kind: 'contentTypeUnsupported', contentType: printMediaType(type) });
}

function* parseJson(
  { body, target, columns, rule = new SameKeys() }: PayloadRequest,
  { dialect, maxJsonDepth: maxDepth }: PayloadSettings,
): Slices<Result<Payload, ApiError>> {
  if (columns !== undefined) {
    if (yield* isNestedDeeper(body, maxDepth)) return fail(tooDeep(maxDepth));
    const isArray = body[skipWhitespace(body, 0)] !== OPEN_BRACE;
    return ok({ kind: 'json', source: 'json', bytes: [body], isArray, keys: sortedNames(columns) });
  }
  if (target === 'routine' && body.length === 0) {
    return ok({ kind: 'json', source: 'json', bytes: [body], isArray: false, keys: [] });
  }
  const shape = yield* parseJsonShape(body, maxDepth, rule);
  if (shape.kind === 'tooDeep') return fail(tooDeep(maxDepth));
  if (shape.kind === 'longName') return fail(NAME_TOO_LONG);
  if (shape.kind === 'invalid') {
    const place = dialect.hasHints ? yield* findJsonFault(body) : undefined;
    return fail({ kind: 'invalidBody', message: 'Empty or invalid json', place });
  }
  if (shape.kind === 'mixed') return fail({ kind: 'invalidBody', message: rule.fault });
  if (shape.kind === 'scalar') {
    return ok({ kind: 'json', source: 'json', bytes: [new TextEncoder().encode('[]')], isArray: true, keys: [] });
  }
  return ok({ kind: 'json', source: 'json', bytes: [body], isArray: shape.isArray, keys: shape.keys });
}

function* parseCsv(body: Uint8Array): Slices<Result<Payload, ApiError>> {
  const rows = yield* parseCsvRows(body);
  if (!rows.ok) return fail({ kind: 'invalidBody', message: rows.error });
  return ok({ kind: 'json', source: 'csv', isArray: true, ...rows.value });
}

function* parseFields({ body, target }: PayloadRequest, maxDepth: number): Slices<Result<Payload, ApiError>> {
  if (body.length > MAX_FORM_BYTES) return fail(FORM_TOO_LONG);
  if ((yield* countFields(body)) > MAX_NAMES) return fail(TOO_MANY_FIELDS);
  const fields = yield* parseForm(body);
  if (target === 'relation') {
    const keys = sortedNames(fields.map(([name]) => name));
    return ok({ kind: 'json', source: 'form', bytes: yield* renderFields(fields), isArray: false, keys });
  }
  for (const [, value] of fields) {
    const mayBeTooDeep = value.length > maxDepth;
    if (mayBeTooDeep && (yield* isNestedDeeper(new TextEncoder().encode(value), maxDepth)))
      return fail(tooDeep(maxDepth));
  }
  return ok({ kind: 'form', fields });
}

/**
 * `tooDeep` takes precedence over `invalid`. `mixed`: not all elements are objects whose keys fit.
 */
export type JsonShape =
  | { readonly kind: 'keyed'; readonly isArray: boolean; readonly keys: readonly string[] }
  | { readonly kind: 'scalar' }
  | { readonly kind: 'mixed' }
  | { readonly kind: 'tooDeep' }
  | { readonly kind: 'longName' }
  | { readonly kind: 'invalid' };

/**
 * Finds the keys of the objects in a JSON body, in one pass that validates the text and keeps none of it (`writing.md`
 * §3.2). The bytes themselves are passed to the database. Keys are distinct and in code-point order, up to
 * `MAX_NAMES`.
 *
 * @param rule which keys the elements may have; undefined: the same
 */
export function* parseJsonShape(bytes: Uint8Array, maxDepth: number, rule?: KeyRule): Slices<JsonShape> {
  const start = skipWhitespace(bytes, 0);
  const isArray = bytes[start] === OPEN_BRACKET;
  const isKeyed = isArray || bytes[start] === OPEN_BRACE;
  const elements = new ElementScanner(isArray ? maxDepth - 1 : maxDepth, rule);
  let end: number;
  if (!isKeyed) end = yield* scanLongValue(bytes, start, maxDepth);
  else end = isArray ? yield* scanElements(bytes, start, elements) : yield* elements.scan(bytes, start);
  if (elements.hasLongName) return { kind: 'longName' };
  if (end === INVALID || skipWhitespace(bytes, end) !== bytes.length) {
    const isTooDeep = yield* isNestedDeeper(bytes, maxDepth);
    return { kind: isTooDeep ? 'tooDeep' : 'invalid' };
  }
  if (!isKeyed) return { kind: 'scalar' };
  return elements.isUniform ? { kind: 'keyed', isArray, keys: elements.keys } : { kind: 'mixed' };
}

function* scanElements(bytes: Uint8Array, start: number, elements: ElementScanner): Slices<number> {
  let sliceEnd = start + BYTES_PER_SLICE;
  let pos = skipWhitespace(bytes, start + 1);
  if (bytes[pos] === CLOSE_BRACKET) return pos + 1;
  for (;;) {
    const end = elements.scanKnownOrder(bytes, pos);
    pos = end === INVALID ? yield* elements.scan(bytes, pos) : end;
    if (pos === INVALID) return INVALID;
    if (pos >= sliceEnd) {
      yield;
      sliceEnd = pos + BYTES_PER_SLICE;
    }
    pos = skipWhitespace(bytes, pos);
    if (bytes[pos] === CLOSE_BRACKET) return pos + 1;
    if (bytes[pos] !== COMMA) return INVALID;
    pos = skipWhitespace(bytes, pos + 1);
  }
}

/** Checks a body whose objects may contain related rows (`beyond.md` §2.2). */
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
