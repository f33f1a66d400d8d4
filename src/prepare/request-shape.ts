// A request → its shape and its values. Requests of one shape differ in values only, and those go to the database as
// parameters: the plan of one serves all of them.
import { firstHeader, type HttpRequest } from '../contract/http.ts';

export interface RequestShape {
  /** The same for all requests of the shape. */
  readonly key: string;
  /** The query string with stand-ins for its values. */
  readonly rawQuery: string;
  /** What the stand-ins stand for, by their number. */
  readonly values: readonly string[];
}

/** The headers that parsing and planning look at. */
const SHAPING_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'prefer',
  'range',
]);
/** Their bodies are passed on as they are, or as JSON, and only their keys matter for the plan. */
const SHAPED_BODIES = /^(?:application\/json|text\/csv)/u;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);
/** Longer ones are rarely repeated and take much memory. */
const MAX_URL_LENGTH = 2048;
const MAX_KEY_LENGTH = 4096;

/** Stands by itself in parameters, and in URLs it needs no escapes. */
const STAND_IN = /~(\d+)~/u;
const STAND_IN_MARK = /~|%7e/iu;

/** An operator that takes any value, and a value that is the same in a URL, in `Content-Location` and as a parameter. */
const COMPARISON = /^((?:not\.)?(?:eq|neq|gte?|lte?)\.)[\w.-]+$/u;
const ARGUMENT = /^[\w-]+$/u;
/** Their values decide what is planned. */
const KEYWORD = /^(?:select|columns|on_conflict|(?:.*\.)?(?:order|limit|offset|and|or))$/u;

export function standInFor(value: number): string {
  return `~${value}~`;
}

/** @returns the numbers of the stand-ins at every odd position, the text between them at the others */
export function splitAtStandIns(text: string): readonly string[] {
  return text.split(STAND_IN);
}

export function hasStandIn(text: string): boolean {
  return STAND_IN.test(text);
}

/** @returns undefined for a request whose shape is not worth caching or would be ambiguous */
export function shapeOf(request: HttpRequest): RequestShape | undefined {
  const { method, path, rawQuery } = request;
  // What a body that still arrives has to say is read by whoever inserts it.
  if (request.arriving !== undefined) return undefined;
  if (!METHODS.has(method) || path.length + rawQuery.length > MAX_URL_LENGTH || !hasShapedBody(request))
    return undefined;
  if (STAND_IN_MARK.test(rawQuery) || STAND_IN_MARK.test(path)) return undefined;
  const values: string[] = [];
  const template = rawQuery === '' ? '' : abstractQuery(rawQuery, path.startsWith('/rpc/'), values);
  let key = `${method} ${path}?${template}`;
  for (const [name, value] of request.headers) if (SHAPING_HEADERS.has(name)) key += `\n${name}:${value}`;
  return key.length > MAX_KEY_LENGTH ? undefined : { key, rawQuery: template, values };
}

function hasShapedBody({ method, headers }: HttpRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const type = firstHeader(headers, 'content-type');
  return type === undefined || SHAPED_BODIES.test(type);
}

function abstractQuery(rawQuery: string, isCall: boolean, values: string[]): string {
  let template = '';
  for (const piece of rawQuery.split('&')) {
    const valueAt = piece.indexOf('=') + 1;
    template += template === '' ? '' : '&';
    template += valueAt === 0 ? piece : piece.slice(0, valueAt) + abstractValue(piece, { valueAt, isCall, values });
  }
  return template;
}

interface ValuePlace {
  readonly valueAt: number;
  readonly isCall: boolean;
  readonly values: string[];
}

function abstractValue(piece: string, { valueAt, isCall, values }: ValuePlace): string {
  const text = piece.slice(valueAt);
  const operator = COMPARISON.exec(text)?.[1] ?? (isCall && ARGUMENT.test(text) ? '' : undefined);
  if (operator === undefined || KEYWORD.test(piece.slice(0, valueAt - 1))) return text;
  values.push(text.slice(operator.length));
  return operator + standInFor(values.length - 1);
}
