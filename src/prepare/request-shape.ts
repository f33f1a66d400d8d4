// Splits a request into its shape and its values. Requests of one shape differ only in values that become parameters,
// so they can share one plan.
import { firstHeader, type HeaderTexts, headerTextsOf, type HttpRequest } from '../contract/http.ts';

export interface RequestShape {
  /** The same for all requests of the shape. */
  readonly key: string;
  /** The query string with stand-ins for its values. */
  readonly rawQuery: string;
  /** The values that the stand-ins replace, by number. */
  readonly values: readonly string[];
}

/** The headers that affect parsing and planning. */
const SHAPING_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'prefer',
  'range',
]);
/** The versions in conditions of writes are different for each request. */
const CONDITION = /^if-(?:none-)?match$/u;
/** Bodies that are passed to the database unchanged or as JSON; only their keys and operations affect the plan. */
const CACHEABLE_BODIES = /^(?:application\/(?:json|merge-patch\+json|vnd\.\w+\.patch\+json)|text\/csv)/u;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);
/** Longer URLs rarely repeat and take much memory. */
const MAX_URL_LENGTH = 2048;
const MAX_KEY_LENGTH = 4096;

/** Unambiguous in parameters, and needs no escaping in URLs. */
const STAND_IN = /~(\d+)~/u;
const STAND_IN_MARK = /~|%7e/iu;

/**
 * An operator whose SQL passes the value on exactly as written, and a value that is the same in the URL, in
 * `Content-Location` and as a parameter. The check of stand-ins (`makeTemplate`) cannot detect a renderer that changes
 * only some characters, such as one that escapes `_` for LIKE. Therefore `like` and `match` are absent; few patterns
 * consist of these characters anyway.
 */
const VERBATIM_COMPARISON = /^((?:not\.)?(?:eq|neq|gte?|lte?)\.)[\w.-]+$/u;
const ARGUMENT = /^[\w-]+$/u;
/** Parameters whose values determine the plan. */
const KEYWORD = /^(?:select|columns|on_conflict|(?:.*\.)?(?:order|limit|offset|and|or))$/u;

/** Each token has its own plan, which no other request uses. */
const PAGE_TOKEN = /(?:^|&)(?:after|before)=[\w-]*(?:&|$)/u;

export function standInFor(value: number): string {
  return `~${value}~`;
}

/** @returns the numbers of the stand-ins at odd indexes and the text between them at even indexes */
export function splitAtStandIns(text: string): readonly string[] {
  return text.split(STAND_IN);
}

export function hasStandIn(text: string): boolean {
  return STAND_IN.test(text);
}

/** @returns undefined for a request whose shape is not worth caching or would be ambiguous */
export function shapeOf(request: HttpRequest): RequestShape | undefined {
  const { method, path, rawQuery } = request;
  // A streamed body is parsed while its rows are inserted.
  if (request.arriving !== undefined) return undefined;
  if (!METHODS.has(method) || path.length + rawQuery.length > MAX_URL_LENGTH || !hasCacheableBody(request))
    return undefined;
  if (STAND_IN_MARK.test(rawQuery) || STAND_IN_MARK.test(path)) return undefined;
  const isCall = path.startsWith('/rpc/');
  if (!isCall && PAGE_TOKEN.test(rawQuery)) return undefined;
  const values: string[] = [];
  const template = rawQuery === '' ? '' : abstractQuery(rawQuery, isCall, values);
  const headers = headerShapeOf(request);
  if (headers.hasCondition && method !== 'GET' && method !== 'HEAD') return undefined;
  const key = `${request.isLongQuery ? 'QUERY' : method} ${path}?${template}${headers.text}`;
  return key.length > MAX_KEY_LENGTH ? undefined : { key, rawQuery: template, values };
}

function headerShapeOf(request: HttpRequest): NonNullable<HeaderTexts['shape']> {
  const texts = headerTextsOf(request);
  if (texts?.shape !== undefined) return texts.shape;
  let text = '';
  let hasCondition = false;
  for (const [name, value] of request.headers) {
    if (SHAPING_HEADERS.has(name)) text += `\n${name}:${value}`;
    hasCondition ||= CONDITION.test(name);
  }
  const shape = { text, hasCondition };
  if (texts !== undefined) texts.shape = shape;
  return shape;
}

function hasCacheableBody({ method, headers }: HttpRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const type = firstHeader(headers, 'content-type');
  return type === undefined || CACHEABLE_BODIES.test(type);
}

function abstractQuery(rawQuery: string, isCall: boolean, values: string[]): string {
  let template = '';
  for (const piece of rawQuery.split('&')) {
    const valueAt = piece.indexOf('=') + 1;
    template += template === '' ? '' : '&';
    template += valueAt === 0 ? piece : piece.slice(0, valueAt) + abstractValue(piece, valueAt, isCall, values);
  }
  return template;
}

function abstractValue(piece: string, valueAt: number, isCall: boolean, values: string[]): string {
  const text = piece.slice(valueAt);
  const operator = VERBATIM_COMPARISON.exec(text)?.[1] ?? (isCall && ARGUMENT.test(text) ? '' : undefined);
  if (operator === undefined || KEYWORD.test(piece.slice(0, valueAt - 1))) return text;
  values.push(text.slice(operator.length));
  return operator + standInFor(values.length - 1);
}
